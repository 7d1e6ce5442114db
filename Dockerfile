# The server with the shipped bundle, as a user without rights. Needs BuildKit: docker 23 or newer, or podman.
#   docker build -t viscritic .
#   openssl rand -hex 32 > token && chmod 644 token
#   docker run --rm --stop-timeout 120 -p 127.0.0.1:8765:8765 -v "$PWD/token:/run/secrets/token:ro" viscritic
# Packages from an index of your own, which no layer of the image remembers:
#   docker build --secret id=pip.conf,src="$HOME/.config/pip/pip.conf" -t viscritic .
FROM python:3.11-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY requirements requirements
COPY configs configs
COPY checkpoints checkpoints
COPY data_prep data_prep
COPY viscritic viscritic
RUN --mount=type=secret,id=pip.conf,target=/etc/pip.conf \
    pip wheel --no-cache-dir --wheel-dir /wheels --require-hashes --requirement requirements/serve.txt \
    && pip wheel --no-cache-dir --wheel-dir /wheels --no-deps .

FROM python:3.11-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-compile --no-index --find-links /wheels --root-user-action ignore 'viscritic[serve]' \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin viscritic
USER 10001
EXPOSE 8765
HEALTHCHECK --start-period=30s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/healthz/live', timeout=3)"]
ENTRYPOINT ["viscritic", "serve", "--host", "0.0.0.0"]
CMD ["--token-file", "/run/secrets/token"]
