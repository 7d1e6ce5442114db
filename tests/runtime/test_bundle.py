"""A bundle is whole, or it is refused with one clear error."""

from __future__ import annotations

import io
import json
import pickle
import socket
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from bundle_files import change_config, change_file, change_golden, copy_bundle, golden_arrays, zip_bundle
from runtime_screens import said, transition

from viscritic import Critic
from viscritic.errors import BundleError
from viscritic.runtime import bundle as bundle_module
from viscritic.runtime.bundle import FILES, GRAPHS, HASH_KEY, READER, Bundle, find_bundle
from viscritic.runtime.golden import replay_golden
from viscritic.runtime.graphs import Graphs


@pytest.fixture
def folder(fp32_bundle: Path, tmp_path: Path) -> Path:
    """A bundle to be damaged."""
    return copy_bundle(fp32_bundle, tmp_path / "bundle")


def graphs(folder: Path) -> Graphs:
    return Graphs(Bundle(folder), (), 1, 0)


def judge(source: Path) -> dict[str, Any]:
    return said(Critic.load(source).score_many([transition("todo-ticked")])[0])


@pytest.mark.parametrize("prefix", ["", "viscritic-bundle/"])
def test_a_zip_says_what_its_folder_says(prefix: str, fp32_bundle: Path, tmp_path: Path) -> None:
    assert judge(zip_bundle(fp32_bundle, tmp_path / "bundle.zip", prefix)) == judge(fp32_bundle)


@pytest.mark.parametrize("name", ["config.json", *FILES])
def test_a_missing_file(name: str, folder: Path) -> None:
    (folder / name).unlink()
    with pytest.raises(BundleError, match=f"has no readable {name}"):
        Critic.load(folder)


@pytest.mark.parametrize("name", FILES)
def test_a_changed_file(name: str, folder: Path) -> None:
    with (folder / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(BundleError, match=rf"{name} .*wrong SHA-256.*fetch or export"):
        Critic.load(folder)


def test_a_file_that_config_json_does_not_know(folder: Path) -> None:
    change_config(folder, lambda values: values["files"].pop("head.onnx"))
    with pytest.raises(BundleError, match=r"head\.onnx"):
        Critic.load(folder)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '"text"', "{}", "\xff", "[" * 100_000, '{"schema_version": "1"}', '{"schema_version": 0}'],
)
def test_garbage_in_config_json(text: str, folder: Path) -> None:
    (folder / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(BundleError, match=r"config\.json"):
        Critic.load(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v: v.update(extra=1), "unknown key in config.json: extra"),
        (lambda v: v.pop("classes"), "missing key in config.json: classes"),
        (lambda v: v.update(temperature=0), "temperature must be positive"),
        (lambda v: v.update(temperature=float("nan")), "temperature must be positive"),
        (lambda v: v.update(temperature=10**400), "temperature must be float"),
        (lambda v: v.update(precision="int2"), "precision must be one of"),
        (lambda v: v.update(classes=["success", "bad"]), "must be one of"),
        (lambda v: v.update(trained_outcomes=["success"]), "needs a failure"),
        (lambda v: v["decision"].update(threshold=2), "a decision needs"),
        (lambda v: v["preprocess"].update(patch=1000), "preprocess.patch must be between"),
        (lambda v: v["preprocess"].update(window=[7]), "must have 2 entries"),
        (lambda v: v.update(schema_version=True), "schema_version must be int"),
    ],
)
def test_settings_that_cannot_be(change: Callable[[dict[str, Any]], Any], words: str, folder: Path) -> None:
    change_config(folder, change)
    with pytest.raises(BundleError, match=words):
        Critic.load(folder)


def test_a_newer_schema_says_how_to_upgrade(folder: Path) -> None:
    change_config(folder, lambda values: values.update(schema_version=2, something_new={}))
    with pytest.raises(BundleError, match="has schema 2, this release reads up to 1: pip install --upgrade viscritic"):
        Critic.load(folder)


@pytest.mark.parametrize("setting", ["temperature", "name"])
def test_settings_of_another_graph(setting: str, folder: Path) -> None:
    """The graphs repeat the hash of the settings that they were exported with."""
    change_config(folder, lambda values: values.update({setting: 3.5 if setting == "temperature" else "other"}))
    with pytest.raises(BundleError, match=r"encoder\.onnx .* was exported for another config\.json"):
        Critic.load(folder)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("damage", ["truncated", "empty", "text"])
def test_a_graph_that_cannot_be_run(name: str, damage: str, folder: Path) -> None:
    data = (folder / name).read_bytes()
    change_file(folder, name, {"truncated": data[: len(data) // 2], "empty": b"", "text": b"not a graph"}[damage])
    with pytest.raises(BundleError, match=name):
        Critic.load(folder)


def test_a_graph_of_another_release(folder: Path) -> None:
    """Its facts have another width."""
    model = onnx.load(folder / "head.onnx")
    (facts,) = [i for i in model.graph.input if i.name == "facts"]
    facts.type.tensor_type.shape.dim[1].dim_value += 1
    model.graph.ClearField("node")
    model.graph.ClearField("output")
    model.graph.ClearField("value_info")
    model.graph.node.append(onnx.helper.make_node("Identity", ["facts"], ["success"]))
    model.graph.output.append(onnx.helper.make_tensor_value_info("success", onnx.TensorProto.FLOAT, None))
    change_file(folder, "head.onnx", model.SerializeToString())
    with pytest.raises(BundleError, match="exported by another release"):
        Critic.load(folder)


def test_weights_that_are_no_numbers(folder: Path) -> None:
    model = onnx.load(folder / "head.onnx")
    for tensor in model.graph.initializer:
        array = onnx.numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size > 100:
            tensor.CopyFrom(onnx.numpy_helper.from_array(np.full_like(array, np.nan), tensor.name))
    change_file(folder, "head.onnx", model.SerializeToString())
    with pytest.raises(BundleError, match="no finite answer"):
        judge(folder)


@pytest.mark.parametrize("text", ["", "{}", "no json", '{"model": {"type": "Magic"}}'])
def test_a_tokenizer_that_cannot_be_read(text: str, folder: Path) -> None:
    change_file(folder, "tokenizer.json", text.encode())
    with pytest.raises(BundleError, match=r"tokenizer\.json"):
        Critic.load(folder)


def test_a_tokenizer_that_pads_and_cuts_is_told_not_to(folder: Path) -> None:
    expected = judge(folder)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["truncation"] = {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0}
    change_file(folder, "tokenizer.json", json.dumps(tokenizer).encode())
    assert judge(folder) == expected


class TestZip:
    """Archives of strangers."""

    def test_no_zip(self, tmp_path: Path) -> None:
        (tmp_path / "bundle.zip").write_bytes(b"PK\x03\x04 torn")
        with pytest.raises(BundleError, match="neither a bundle's folder nor a zip"):
            Critic.load(tmp_path / "bundle.zip")

    def test_a_zip_of_something_else(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
            archive.writestr("readme.txt", "hello")
        with pytest.raises(BundleError, match=r"has no readable config\.json"):
            Critic.load(tmp_path / "other.zip")

    def test_a_truncated_zip(self, fp32_bundle: Path, tmp_path: Path) -> None:
        whole = zip_bundle(fp32_bundle, tmp_path / "bundle.zip").read_bytes()
        (tmp_path / "bundle.zip").write_bytes(whole[:-2000])
        with pytest.raises(BundleError):
            Critic.load(tmp_path / "bundle.zip")

    @pytest.mark.parametrize("seed", range(5))
    def test_flipped_bytes(self, seed: int, fp32_bundle: Path, tmp_path: Path) -> None:
        data = bytearray(zip_bundle(fp32_bundle, tmp_path / "bundle.zip").read_bytes())
        for position in np.random.default_rng(seed).integers(0, len(data), 400).tolist():
            data[position] ^= 0xFF
        (tmp_path / "bundle.zip").write_bytes(data)
        with pytest.raises(BundleError):
            Critic.load(tmp_path / "bundle.zip")

    def test_an_encrypted_member(self, fp32_bundle: Path, tmp_path: Path) -> None:
        data = bytearray(zip_bundle(fp32_bundle, tmp_path / "bundle.zip").read_bytes())
        for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            place = data.find(signature)
            while place >= 0:
                data[place + offset] |= 1
                place = data.find(signature, place + 4)
        (tmp_path / "bundle.zip").write_bytes(data)
        with pytest.raises(BundleError, match="encrypted"):
            Critic.load(tmp_path / "bundle.zip")

    def test_a_bomb_is_not_unpacked(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bundle_module, "_MAX_BYTES", 1000)
        with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("config.json", " " * 1001)
        with pytest.raises(BundleError, match="unpacks to more than 1000 bytes"):
            Critic.load(tmp_path / "bomb.zip")


class TestPlaces:
    """Where a bundle is looked for."""

    @pytest.mark.parametrize("place", ["no/such/place/at/all", "nowhere.zip", ""])
    def test_nothing_there(self, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(BundleError):
            Critic.load(place)
        with pytest.raises(BundleError):
            Critic.load(tmp_path / (place or "empty"))

    def test_a_hub_id_without_a_network(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise OSError("the network is unreachable")

        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(socket, "getaddrinfo", refuse)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        with pytest.raises(BundleError, match="no folder 'somebody/critic' here, and the hub gave no bundle"):
            Critic.load("somebody/critic")

    def test_a_hub_id_is_fetched(self, fp32_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []

        def fetch(repository: str, revision: str | None, allow_patterns: list[str]) -> str:
            asked.append((repository, revision, sorted(allow_patterns)))
            return str(fp32_bundle)

        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("huggingface_hub.snapshot_download", fetch)
        assert find_bundle("somebody/critic@v2") == fp32_bundle
        assert find_bundle("somebody/critic") == fp32_bundle
        wanted = sorted(["config.json", READER, *FILES])  # nothing else is downloaded
        assert asked == [("somebody/critic", "v2", wanted), ("somebody/critic", None, wanted)]

    def test_a_folder_comes_before_the_hub(self, fp32_bundle: Path, tmp_path: Path, monkeypatch: Any) -> None:
        copy_bundle(fp32_bundle, tmp_path / "some" / "critic")
        monkeypatch.chdir(tmp_path)
        assert find_bundle("some/critic") == Path("some/critic")


class TestGolden:
    """Golden pairs replay, or show what is wrong."""

    @pytest.mark.parametrize("kind", ["fp32", "int8"])
    def test_they_pass_where_they_were_made(self, kind: str, request: pytest.FixtureRequest) -> None:
        bundle = Bundle(request.getfixturevalue(f"{kind}_bundle"))
        replays = replay_golden(bundle, Graphs(bundle, (), 1, 0))
        assert len(replays) == 4
        assert all(replay.passed and replay.difference < 1e-3 for replay in replays)
        assert len({replay.name for replay in replays}) == 4

    @pytest.mark.parametrize("name", ["success", "progress"])
    @pytest.mark.parametrize("value", [5.0, float("nan")])
    def test_another_answer_fails(self, name: str, value: float, folder: Path) -> None:
        stored = golden_arrays(folder)[f"2.{name}"]
        change_golden(folder, **{f"2.{name}": np.float32(stored + value)})
        bundle = Bundle(folder)
        assert [r.passed for r in replay_golden(bundle, graphs(folder))] == [True, True, False, True]

    def test_a_pickle_is_never_loaded(self, folder: Path, tmp_path: Path) -> None:
        class Malice:
            def __reduce__(self) -> tuple[object, ...]:
                return Path.touch, (tmp_path / "harmed",)

        change_golden(folder, **{"0.transition": np.array([Malice()], object)})
        with pytest.raises(BundleError, match=r"golden\.npz .* cannot be read"):
            replay_golden(Bundle(folder), graphs(folder))
        change_file(folder, "golden.npz", pickle.dumps(Malice()))
        with pytest.raises(BundleError, match=r"golden\.npz .* cannot be read"):
            replay_golden(Bundle(folder), graphs(folder))
        assert not (tmp_path / "harmed").exists()

    @pytest.mark.parametrize(
        "arrays",
        [
            {"1.transition": None},
            {"1.transition": np.frombuffer(b"no json", np.uint8)},
            {"1.transition": np.frombuffer(b"[1, 2]", np.uint8)},
            {"1.post": None},
            {"1.success": None},
            {"1.success": np.zeros(3, np.float32)},
            {"1.success": np.array("text")},
        ],
    )
    def test_a_damaged_pair(self, arrays: dict[str, Any], folder: Path) -> None:
        change_golden(folder, **arrays)
        with pytest.raises(BundleError, match=r"golden\.npz .* cannot be read"):
            replay_golden(Bundle(folder), graphs(folder))

    @pytest.mark.parametrize("data", [b"", b"text", b"PK\x03\x04 torn"])
    def test_a_file_that_is_none(self, data: bytes, folder: Path) -> None:
        change_file(folder, "golden.npz", data)
        with pytest.raises(BundleError, match=r"golden\.npz"):
            replay_golden(Bundle(folder), graphs(folder))

    def test_no_pair_at_all_is_no_pass(self, folder: Path) -> None:
        buffer = io.BytesIO()
        np.savez(buffer, other=np.zeros(1))
        change_file(folder, "golden.npz", buffer.getvalue())
        with pytest.raises(BundleError, match="holds no pair to replay"):
            replay_golden(Bundle(folder), graphs(folder))


def test_graphs_repeat_the_hash(folder: Path) -> None:
    for name in GRAPHS:
        model = onnx.load(folder / name)
        onnx.helper.set_model_props(model, {HASH_KEY: "0" * 64})
        change_file(folder, name, model.SerializeToString())
        with pytest.raises(BundleError, match="another config"):
            Critic.load(folder)
