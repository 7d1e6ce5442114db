"""Every kind of screen that can be handed over, made as real encoded files here: read as documented, or refused."""

import base64
import io
import os
import struct
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms, ImageFile, PngImagePlugin

from viscritic.errors import ConfigError, ScreenError
from viscritic.screen import MAX_PIXELS, MIN_SIDE, load_screen, screen_digest

LOSSLESS = [("PNG", {}), ("BMP", {}), ("WEBP", {"lossless": True})]
ENCODINGS = [*LOSSLESS, ("WEBP", {}), ("GIF", {}), ("JPEG", {}), ("JPEG", {"progressive": True})]


@pytest.fixture(autouse=True)
def no_limit_variable(monkeypatch):
    monkeypatch.delenv("VISCRITIC_MAX_PIXELS", raising=False)


@pytest.fixture(scope="module")
def rgb():
    return np.random.default_rng(0).integers(0, 256, (40, 60, 3), dtype=np.uint8)


def encode(image, kind="PNG", **options):
    buffer = io.BytesIO()
    (Image.fromarray(image) if isinstance(image, np.ndarray) else image).save(buffer, kind, **options)
    return buffer.getvalue()


def png_chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png_of_size(width, height):
    """A complete PNG whose header claims the size, with hardly any pixels behind it."""
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + png_chunk(b"IDAT", zlib.compress(b"")) + png_chunk(b"IEND", b"")


def refusal(source, **options):
    with pytest.raises(ScreenError) as caught:
        load_screen(source, name="post", **options)
    message = str(caught.value)
    assert message.startswith("post: "), message
    return message


def assert_screen(screen, expected):
    assert screen.dtype == np.uint8
    assert screen.flags.c_contiguous
    np.testing.assert_array_equal(screen, expected)


class TestSources:
    @pytest.mark.parametrize(("kind", "options"), LOSSLESS)
    def test_path_bytes_and_data_url_agree(self, rgb, tmp_path, kind, options):
        data = encode(rgb, kind, **options)
        file = tmp_path / "no-extension-needed"
        file.write_bytes(data)
        url = "data:image/whatever;base64," + base64.b64encode(data).decode()
        for source in (file, str(file), os.fspath(file), data, bytearray(data), memoryview(data), url):
            assert_screen(load_screen(source), rgb)

    def test_path_like_of_bytes(self, rgb, tmp_path):
        class BytesPath:
            def __fspath__(self):
                return os.fsencode(tmp_path / "é.png")

        (tmp_path / "é.png").write_bytes(encode(rgb))
        assert_screen(load_screen(BytesPath()), rgb)

    @pytest.mark.parametrize(("kind", "options"), ENCODINGS)
    def test_encoded_equals_what_pillow_decodes(self, rgb, kind, options):
        data = encode(rgb, kind, **options)
        assert_screen(load_screen(data), np.asarray(Image.open(io.BytesIO(data)).convert("RGB")))

    def test_data_url_with_escapes_line_breaks_and_capitals(self, rgb):
        text = base64.encodebytes(encode(rgb)).decode().replace("+", "%2B")
        assert_screen(load_screen("DATA:image/png;Base64," + text), rgb)

    def test_pil_image_opened_and_in_memory(self, rgb):
        assert_screen(load_screen(Image.fromarray(rgb)), rgb)
        assert_screen(load_screen(Image.open(io.BytesIO(encode(rgb)))), rgb)

    def test_caller_image_is_left_as_it_was(self, rgb):
        image = Image.fromarray(rgb).convert("P")
        before = image.mode, image.size, image.tobytes()
        load_screen(image)
        assert (image.mode, image.size, image.tobytes()) == before

    def test_contiguous_rgb_array_is_returned_uncopied(self, rgb):
        assert load_screen(rgb) is rgb

    def test_read_only_array(self, rgb):
        frozen = rgb.copy()
        frozen.flags.writeable = False
        assert load_screen(frozen) is frozen

    def test_memory_map(self, rgb, tmp_path):
        np.save(tmp_path / "a.npy", rgb)
        screen = load_screen(np.load(tmp_path / "a.npy", mmap_mode="r"))
        assert type(screen) is np.ndarray
        assert_screen(screen, rgb)

    def test_non_contiguous_array(self, rgb):
        assert_screen(load_screen(rgb[::-1, ::2]), rgb[::-1, ::2])
        assert_screen(load_screen(rgb[..., ::-1]), rgb[..., ::-1])  # BGR turned to RGB by the caller
        assert_screen(load_screen(np.asfortranarray(rgb)), rgb)

    def test_grey_arrays(self, rgb):
        grey = rgb[..., 0]
        expected = np.stack([grey] * 3, axis=-1)
        assert_screen(load_screen(grey), expected)
        assert_screen(load_screen(grey[..., None]), expected)

    def test_opaque_rgba_array_loses_its_alpha(self, rgb):
        rgba = np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])
        assert_screen(load_screen(rgba), rgb)
        assert_screen(load_screen(np.asfortranarray(rgba)), rgb)


class TestModes:
    def test_alpha_is_composited_over_white(self, rgb):
        alpha = np.tile(np.linspace(0, 255, 60).astype(np.uint8), (40, 1))
        rgba = np.dstack([rgb, alpha])
        weight = alpha[..., None] / 255
        expected = rgb * weight + 255 * (1 - weight)
        for source in (rgba, encode(rgba), encode(rgba, "WEBP", lossless=True, exact=True), Image.fromarray(rgba)):
            screen = load_screen(source)
            assert np.abs(screen - expected).max() <= 1
        assert (load_screen(rgba)[:, 0] == 255).all()

    def test_palette(self, rgb):
        image = Image.fromarray(rgb).quantize(32)
        expected = np.asarray(image.convert("RGB"))
        assert_screen(load_screen(image), expected)
        assert_screen(load_screen(encode(image)), expected)
        assert_screen(load_screen(encode(image, "GIF")), expected)

    @pytest.mark.parametrize("transparency", [3, bytes([255, 255, 255, 0])])
    def test_palette_with_a_transparent_entry(self, transparency):
        image = Image.new("P", (20, 20), 3)
        image.putpalette([10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40])
        image.paste(1, (0, 0, 20, 5))
        screen = load_screen(encode(image, transparency=transparency))
        assert (screen[:5] == 20).all()
        assert (screen[5:] == 255).all()

    def test_one_bit(self, rgb):
        image = Image.fromarray(rgb[..., 0] > 127)
        assert image.mode == "1"
        expected = np.asarray(image.convert("RGB"))
        assert set(np.unique(expected)) == {0, 255}
        assert_screen(load_screen(image), expected)
        assert_screen(load_screen(encode(image)), expected)
        assert_screen(load_screen(encode(image, "BMP")), expected)

    def test_grey_with_alpha(self):
        image = Image.new("LA", (20, 20), (100, 255))
        image.paste((100, 0), (0, 0, 20, 10))
        for source in (image, encode(image)):
            screen = load_screen(source)
            assert (screen[:10] == 255).all()
            assert (screen[10:] == 100).all()

    def test_cmyk_jpeg(self):
        image = Image.new("CMYK", (32, 32), (255, 0, 0, 0))  # pure cyan ink
        for source in (image, encode(image, "JPEG")):
            np.testing.assert_allclose(load_screen(source)[16, 16], (0, 255, 255), atol=3)

    def test_sixteen_bit_png_keeps_the_high_byte(self):
        values = np.linspace(0, 65535, 40 * 60).astype(np.uint16).reshape(40, 60)
        expected = np.stack([(values >> 8).astype(np.uint8)] * 3, axis=-1)
        data = encode(Image.fromarray(values))
        assert Image.open(io.BytesIO(data)).mode != "L"
        assert_screen(load_screen(data), expected)
        assert_screen(load_screen(Image.fromarray(values)), expected)

    @pytest.mark.parametrize("mode", ["I", "F"])
    def test_images_of_no_fixed_range_are_refused(self, mode):
        message = refusal(Image.new(mode, (32, 32)))
        assert f"{mode} image" in message
        assert "mode L" in message

    def test_colour_profile_is_ignored(self, rgb):
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        assert_screen(load_screen(encode(rgb, icc_profile=profile)), rgb)

    @pytest.mark.parametrize("orientation", range(1, 9))
    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
    def test_exif_orientation_is_applied(self, orientation, kind):
        pixels = np.full((40, 60, 3), 255, np.uint8)
        pixels[:20, :20] = (200, 0, 0)  # marks the stored top left corner
        exif = Image.Exif()
        exif[0x0112] = orientation
        screen = load_screen(encode(pixels, kind, exif=exif))
        # Where the stored top left corner stands once upright: EXIF 2.32, table of the Orientation tag.
        right, bottom = {1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0, 0), 6: (1, 0), 7: (1, 1), 8: (0, 1)}[
            orientation
        ]
        assert screen.shape == ((40, 60, 3) if orientation <= 4 else (60, 40, 3))
        row, column = (-5 if bottom else 5), (-5 if right else 5)
        assert screen[row, column, 1] < 60
        assert (screen[5 if bottom else -5, column] > 200).all()
        assert (screen[row, 5 if right else -5] > 200).all()


class TestRefusals:
    def test_missing_file(self, tmp_path):
        assert "No such file" in refusal(tmp_path / "nothing.png")

    def test_directory(self, tmp_path):
        assert "is a folder" in refusal(tmp_path)

    def test_pipe_is_not_waited_for(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        assert "not a regular file" in refusal(tmp_path / "pipe")

    def test_empty_path_file_and_bytes(self, tmp_path):
        (tmp_path / "a.png").touch()
        assert "path is empty" in refusal("")
        assert "0 bytes" in refusal(tmp_path / "a.png")
        assert "0 bytes" in refusal(b"")
        assert "0 bytes" in refusal("data:image/png;base64,")

    def test_impossible_paths(self):
        assert "null" in refusal("a\0b")
        assert "data:image/png;base64," in refusal(base64.b64encode(bytes(1000)).decode())

    @pytest.mark.parametrize(
        "url", ["http://127.0.0.1:9/a.png", "https://x/a.png", "file:///etc/passwd", "FILE:a", "ftp://x/y"]
    )
    def test_urls_are_not_fetched(self, url):
        assert "nothing is fetched" in refusal(url)

    @pytest.mark.parametrize("url", ["data:", "data:image/png,abc", "data:image/png;base64", "data:text/plain,;base64"])
    def test_data_url_without_base64(self, url):
        assert "not a base64 data-URL" in refusal(url)

    def test_broken_base64(self, rgb):
        url = "data:image/png;base64," + base64.b64encode(encode(rgb)).decode()
        assert "broken or cut off" in refusal(url[:-2])
        assert "broken or cut off" in refusal(url[:60] + "!" + url[60:])

    @pytest.mark.parametrize("data", [b"<!DOCTYPE html><html>", b"\0" * 500, b"GIF", b"%PDF-1.7", b"<svg xmlns=''/>"])
    def test_not_an_image(self, data):
        message = refusal(data)
        assert "convert it to PNG" in message
        assert repr(data[:12]) in message

    def test_formats_outside_the_list_are_refused(self, rgb):
        for kind in ("TIFF", "PPM", "TGA"):
            assert "not a PNG" in refusal(encode(rgb, kind))

    @pytest.mark.parametrize("source", [None, 3, [[0, 0]], {"path": "a.png"}, object()])
    def test_foreign_types(self, source):
        assert type(source).__name__ in refusal(source)

    @pytest.mark.parametrize("dtype", ["float32", "float64", "uint16", "int64", "bool", "object"])
    def test_array_dtypes(self, dtype):
        message = refusal(np.zeros((32, 32, 3), dtype))
        assert dtype in message
        assert "astype(numpy.uint8)" in message

    def test_array_shapes(self):
        assert "transpose(1, 2, 0)" in refusal(np.zeros((3, 32, 48), np.uint8))
        for shape in ((), (32,), (32, 32, 2), (32, 32, 5), (1, 32, 32, 3)):
            assert str(shape) in refusal(np.zeros(shape, np.uint8))

    @pytest.mark.parametrize("size", [(1, 1), (MIN_SIDE - 1, 100), (100, MIN_SIDE - 1)])
    def test_too_small(self, size):
        image = Image.new("RGB", size)
        for source in (image, encode(image), np.asarray(image)):
            assert f"{size[0]}x{size[1]} pixels is too small" in refusal(source)
        assert "too small" in refusal(np.zeros((0, 0, 3), np.uint8))

    def test_smallest_screen(self):
        assert load_screen(np.zeros((MIN_SIDE, MIN_SIDE), np.uint8)).shape == (MIN_SIDE, MIN_SIDE, 3)

    @pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
    def test_animations(self, rgb, kind):
        frames = [Image.fromarray(rgb), Image.fromarray(rgb[::-1])]
        data = encode(frames[0], kind, save_all=True, append_images=frames[1:])
        for source in (data, Image.open(io.BytesIO(data))):
            assert "burst" in refusal(source)
        assert load_screen(Image.open(io.BytesIO(data)).copy()).shape == rgb.shape  # the way out

    def test_closed_pil_image(self, rgb, tmp_path):
        (tmp_path / "a.png").write_bytes(encode(rgb))
        with Image.open(tmp_path / "a.png") as image:
            pass
        assert "cannot decode" in refusal(image)

    def test_decompression_of_text_is_bounded(self, rgb):
        info = PngImagePlugin.PngInfo()
        info.add_text("note", "a" * (PngImagePlugin.MAX_TEXT_CHUNK + 1), zip=True)
        assert "cannot" in refusal(encode(rgb, pnginfo=info))


class TestDamage:
    @pytest.mark.parametrize(("kind", "options"), ENCODINGS)
    @pytest.mark.parametrize("lenient", [False, True])
    def test_truncated_anywhere_is_refused(self, rgb, monkeypatch, kind, options, lenient):
        # Training programs often set this for the whole process; a screen half grey must not pass for a change.
        monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", lenient)
        data = encode(rgb, kind, **options)
        whole = load_screen(data)
        for length in {*range(0, len(data) - 1, 97), *range(len(data) - 40, len(data) - 1)}:
            try:
                screen = load_screen(data[:length])
            except ScreenError:
                continue
            assert_screen(screen, whole)  # only what follows the pixels was cut

    def test_truncated_names_the_fault(self, rgb):
        assert "truncated" in refusal(encode(rgb)[:-30])
        assert "truncated" in refusal(encode(rgb, "JPEG")[:-30])

    @settings(max_examples=60, deadline=None)
    @given(
        st.sampled_from(ENCODINGS), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=8)
    )
    def test_flipped_bytes_are_read_or_refused(self, encoding, flips):
        kind, options = encoding
        data = bytearray(
            encode(np.random.default_rng(1).integers(0, 256, (24, 24, 3), dtype=np.uint8), kind, **options)
        )
        for place, value in flips:
            data[int(place * (len(data) - 1))] = value
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # Pillow's words on the damage
            try:
                screen = load_screen(bytes(data), max_pixels=10**6)
            except ScreenError:
                return
        assert screen.dtype == np.uint8
        assert screen.ndim == 3

    @settings(max_examples=60, deadline=None)
    @given(
        st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"BM", b"RIFF\0\0\0\0WEBP"]),
        st.binary(max_size=200),
    )
    def test_random_bytes_are_refused(self, magic, data):
        refusal(magic + data)


class TestSize:
    def test_bomb_is_refused_from_its_header(self):
        # Decoding it would fail differently: there are no pixels behind the header.
        for size in ((20_000, 20_000), (100_000, 100_000), (2**31 - 1, 2**31 - 1)):
            message = refusal(png_of_size(*size))
            assert f"{size[0]}x{size[1]}" in message
            assert "VISCRITIC_MAX_PIXELS" in message

    def test_real_bomb(self):
        buffer = io.BytesIO()
        Image.new("1", (9_000, 9_000)).save(buffer, "PNG")
        assert len(buffer.getvalue()) < 20_000
        assert "over the limit" in refusal(buffer.getvalue())

    def test_pillow_limit_plays_no_part(self, rgb, monkeypatch):
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
        assert_screen(load_screen(encode(rgb)), rgb)  # a bomb warning or error would fail the test

    def test_pillow_settings_are_untouched(self, rgb):
        before = Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES, list(warnings.filters)
        load_screen(encode(rgb))
        refusal(png_of_size(100_000, 100_000))
        assert (Image.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES, list(warnings.filters)) == before

    def test_limit_by_argument(self, rgb):
        for source in (rgb, Image.fromarray(rgb), encode(rgb)):
            assert load_screen(source, max_pixels=2400).shape == rgb.shape
            assert "2400 pixels, over the limit of 2399" in refusal(source, max_pixels=2399)

    def test_limit_by_environment(self, rgb, monkeypatch):
        monkeypatch.setenv("VISCRITIC_MAX_PIXELS", "2399")
        assert "limit of 2399" in refusal(encode(rgb))
        assert load_screen(rgb, max_pixels=2400) is rgb  # the argument wins
        monkeypatch.setenv("VISCRITIC_MAX_PIXELS", " ")
        assert load_screen(rgb) is rgb

    def test_default_limit(self):
        assert MAX_PIXELS == 64_000_000
        row = np.zeros((1, 1), np.uint8)
        assert load_screen(np.broadcast_to(row, (4000, 4000))).shape == (4000, 4000, 3)
        assert "over the limit" in refusal(np.broadcast_to(row, (8001, 8000)))

    @pytest.mark.parametrize("value", ["abc", "-1", "0", "1e6", "²"])
    def test_bad_environment(self, rgb, monkeypatch, value):
        monkeypatch.setenv("VISCRITIC_MAX_PIXELS", value)
        with pytest.raises(ConfigError, match="VISCRITIC_MAX_PIXELS must be a positive whole number"):
            load_screen(rgb)

    @pytest.mark.parametrize("value", [0, -5, 1.5, True, "100"])
    def test_bad_argument(self, rgb, value):
        with pytest.raises(ConfigError, match="max_pixels must be a positive whole number"):
            load_screen(rgb, max_pixels=value)

    def test_giant_file_is_not_read(self, tmp_path):
        with Path(tmp_path / "huge.png").open("wb") as file:
            file.truncate(2**33)  # sparse: 8 GiB of nothing
        assert "more than an image of 64000000 pixels can need" in refusal(tmp_path / "huge.png")


class TestDigest:
    def test_equal_pixels_equal_digest(self, rgb):
        assert screen_digest(load_screen(encode(rgb))) == screen_digest(rgb)
        assert screen_digest(np.asfortranarray(rgb)) == screen_digest(rgb)
        assert len(screen_digest(rgb)) == 32

    def test_one_changed_value_changes_it(self, rgb):
        other = rgb.copy()
        other[39, 59, 2] ^= 1
        assert screen_digest(other) != screen_digest(rgb)

    def test_shape_counts(self):
        assert screen_digest(np.zeros((20, 40, 3), np.uint8)) != screen_digest(np.zeros((40, 20, 3), np.uint8))
