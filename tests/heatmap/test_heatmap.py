"""The picture of attention: its colours, where it puts them, its marks and its text."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from viscritic.errors import DataError, ScreenError
from viscritic.heatmap import draw_heatmap, heat_colours
from viscritic.heatmap.fonts import missing_letters, text_width
from viscritic.heatmap.text import draw_lines, wrap

SIZES = [(400, 300), (1920, 1080), (390, 844)]


def plain(size, shade):
    return np.full((size[1], size[0], 3), shade, np.uint8)


def hot_cell(row, column, shape=(12, 20)):
    weights = np.zeros(shape, np.float32)
    weights[row, column] = 1
    return weights


def to_lab(rgb):
    """sRGB to CIELAB, D65: written out here so that the colours are judged by another space than they come from."""
    linear = rgb / 255
    linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    xyz = linear @ np.array([[0.4124, 0.2126, 0.0193], [0.3576, 0.7152, 0.1192], [0.1805, 0.0722, 0.9505]])
    xyz = xyz / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1)


def colourfulness(image):
    """How far each pixel is from grey."""
    array = np.asarray(image).astype(int)
    return array.max(-1) - array.min(-1)


class TestColours:
    def test_lightness_only_rises_and_spans_the_scale(self):
        lightness = to_lab(heat_colours().astype(float))[:, 0]
        assert (np.diff(lightness) > -0.3).all()  # rounding to 8 bits
        assert (np.diff(lightness[::8]) > 0).all()
        assert lightness[0] < 30
        assert lightness[-1] > 85

    def test_steps_are_even(self):
        color = pytest.importorskip("skimage.color", reason="needs the extra data: pip install 'viscritic[data]'")
        lab = color.rgb2lab(heat_colours()[None, ::8] / 255)[0]
        steps = color.deltaE_ciede2000(lab[1:], lab[:-1])
        assert steps.max() < 2.8 * steps.min()  # matplotlib's plasma: 2.80, magma: 3.01

    # Viénot, Brettel, Mollon 1999: what protanopes and deuteranopes see, in linear RGB.
    @pytest.mark.parametrize(
        "lost",
        [
            [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
            [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
        ],
    )
    def test_order_survives_colour_blindness(self, lost):
        linear = (heat_colours() / 255) ** 2.2
        seen = 255 * np.clip(linear @ np.array(lost).T, 0, 1) ** (1 / 2.2)
        lab = to_lab(seen[::16])
        assert (np.diff(lab[:, 0]) > 0).all()
        gaps = np.linalg.norm(lab[:, None] - lab[None], axis=-1) + 100 * np.eye(len(lab))
        assert gaps.min() > 3  # no two of sixteen levels look alike

    def test_table_cannot_be_changed(self):
        with pytest.raises(ValueError, match="read-only"):
            heat_colours()[0] = 0


class TestHeat:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("shade", [255, 245, 20, 0])
    def test_heat_lies_where_the_weight_is(self, size, shade):
        picture = draw_heatmap(plain(size, shade), hot_cell(3, 15))
        assert picture.mode == "RGB"
        assert picture.size == size
        colour = colourfulness(picture)
        cell = size[0] / 20, size[1] / 12
        centre = round(3.5 * cell[1]), round(15.5 * cell[0])
        assert colour[centre] > 60
        rows, columns = np.nonzero(colour > 15)
        assert np.abs(rows + 0.5 - 3.5 * cell[1]).max() <= 1.6 * cell[1]
        assert np.abs(columns + 0.5 - 15.5 * cell[0]).max() <= 1.6 * cell[0]

    @pytest.mark.parametrize("shade", [255, 0])
    def test_heat_stands_out_in_lightness_or_colour(self, shade):
        pixels = np.asarray(draw_heatmap(plain((400, 300), shade), hot_cell(6, 10))).reshape(300, 400, 3)
        lab = to_lab(np.stack([pixels[162, 210], pixels[0, 0]]).astype(float))
        assert np.linalg.norm(lab[0] - lab[1]) > 25

    def test_more_weight_is_more_opaque(self):
        weights = np.zeros((6, 10), np.float32)
        weights[3, 1:9:2] = (0.1, 0.3, 0.6, 1.0)
        colour = np.asarray(draw_heatmap(plain((500, 300), 128), weights)).astype(int)
        distance = [np.abs(colour[175, 50 * column + 25] - colour[0, 0]).sum() for column in (1, 3, 5, 7)]
        assert distance == sorted(distance)
        assert distance[0] > 0

    def test_scale_of_the_weights_does_not_matter(self):
        screen = plain((400, 300), 200)
        weights = np.random.default_rng(0).random((12, 20)).astype(np.float32)
        assert draw_heatmap(screen, weights) == draw_heatmap(screen, weights / weights.sum())

    def test_no_attention_draws_no_heat(self):
        picture = draw_heatmap(plain((400, 300), 200), np.zeros((12, 20), np.float32))
        assert colourfulness(picture).max() == 0

    def test_smooth(self):
        shades = np.asarray(draw_heatmap(plain((1200, 720), 128), hot_cell(6, 10))).astype(int)
        assert np.abs(np.diff(shades[390], axis=0)).max() < 24  # no cell's border shows

    def test_text_under_the_heat_stays_readable(self):
        stripes = plain((400, 300), 255)
        stripes[:, ::8] = 0
        picture = np.asarray(draw_heatmap(stripes, np.ones((12, 20), np.float32)).convert("L")).astype(int)
        assert (picture[:, 1::8] - picture[:, ::8]).min() > 60

    def test_screen_itself_is_left_alone(self):
        screen = plain((400, 300), 200)
        draw_heatmap(screen, hot_cell(1, 1), point=(20, 20), label="here")
        assert (screen == 200).all()

    @pytest.mark.parametrize(
        "weights", [np.ones(4), np.ones((0, 3)), np.full((2, 2), np.nan), -np.ones((2, 2)), np.array([[np.inf]])]
    )
    def test_bad_weights(self, weights):
        with pytest.raises(DataError, match="grid of non-negative numbers"):
            draw_heatmap(plain((400, 300), 200), weights)

    def test_bad_screen_is_named(self):
        with pytest.raises(ScreenError, match=r"^post: "):
            draw_heatmap("nowhere.png", np.ones((2, 2)))


class TestMark:
    NOTHING = np.zeros((2, 2), np.float32)

    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("shade", [255, 128, 0])
    def test_ring_is_seen_on_every_background(self, size, shade):
        screen, point = plain(size, shade), (size[0] // 3, size[1] // 2)
        without = np.asarray(draw_heatmap(screen, self.NOTHING)).astype(int)
        marked = np.asarray(draw_heatmap(screen, self.NOTHING, point=point)).astype(int)
        rows, columns = np.nonzero(np.abs(marked - without).max(-1) > 8)
        assert abs((rows.min() + rows.max()) / 2 - point[1]) <= 1
        assert abs((columns.min() + columns.max()) / 2 - point[0]) <= 1
        ring = marked[rows, columns]
        assert (ring.max(-1) < 60).any()  # dark outline
        assert (ring.min(-1) > 200).any()  # light outline
        assert np.array_equal(marked[point[1], point[0]], without[point[1], point[0]])  # hollow

    @pytest.mark.parametrize(
        ("point", "corner"), [((-50, -9), (0, 0)), ((9e5, 9e5), (-1, -1)), ((399.6, 150), (150, -1))]
    )
    def test_point_outside_is_marked_at_the_border(self, point, corner):
        screen = plain((400, 300), 200)
        marked = np.asarray(draw_heatmap(screen, self.NOTHING, point=point)).astype(int)
        changed = np.abs(marked - np.asarray(draw_heatmap(screen, self.NOTHING)).astype(int)).max(-1) > 8
        row, column = corner[0] % 300, corner[1] % 400
        assert changed[max(0, row - 20) : row + 20, max(0, column - 20) : column + 20].sum() == changed.sum() > 0


class TestText:
    TEXTS = st.text(st.characters(codec="utf-8"), max_size=400)

    @settings(max_examples=80, deadline=None)
    @given(TEXTS, st.integers(11, 30), st.integers(60, 900), st.integers(1, 12))
    def test_lines_always_fit(self, text, size, width, lines):
        wrapped = wrap(text, size, width, lines=lines)
        assert 1 <= len(wrapped) <= lines
        assert all(text_width(line, size) <= width or len(line) == 1 for line in wrapped)

    def test_every_word_is_kept_in_order(self):
        text = "Call the dentist, pay the bill\n\tand water   the plants"
        wrapped = wrap(text, 16, 120)
        assert len(wrapped) > 2
        assert " ".join(wrapped) == "Call the dentist, pay the bill and water the plants"

    def test_long_word_is_cut_and_kept(self):
        url = "https://example.org/" + "a" * 300
        wrapped = wrap("see " + url, 16, 200, lines=40)
        assert "".join(wrapped[1:]) == url

    def test_too_much_text_says_so(self):
        wrapped = wrap("word " * 500, 16, 200, lines=3)
        assert len(wrapped) == 3
        assert wrapped[-1].endswith("...")
        assert not wrapped[0].endswith("...")

    def test_huge_word_is_quick(self):
        assert len(wrap("x" * 10**7, 16, 200)) == 12

    def test_letters_outside_the_font(self):
        assert wrap("Résumé, € 5 → Łódź", 16, 900) == ["Resume, EUR 5 -> Łodz"]

    def test_letters_of_other_scripts_stay_whole(self):
        for text in ("が", "한글", "й", "中文"):
            assert wrap(unicodedata.normalize("NFD", text), 16, 900) == [text]

    def test_letters_that_a_font_of_this_machine_has_are_drawn_in_it(self):
        if missing_letters("ЖШ"):
            pytest.skip("needs a font with Cyrillic letters (fonts-dejavu)")

        def drawn(text):
            picture = Image.new("RGB", (60, 40), "white")
            draw_lines(picture, (4, 4), [text], 16, (0, 0, 0))
            return np.asarray(picture)

        box = drawn("\U000effff")  # what no font has
        assert (drawn("Ж") != drawn("Ш")).any()
        assert (drawn("Ж") != box).any()
        assert (drawn("Жx")[:, :20] == drawn("Ж")[:, :20]).all()

    def test_what_no_font_has_is_told(self):
        assert missing_letters("plain ASCII") == ""
        assert missing_letters("a\U00010380a\U00010380") == "\U00010380"  # Ugaritic

    @pytest.mark.parametrize("size", [*SIZES, (40, 600)])
    def test_label_stays_on_the_picture(self, size):
        picture = draw_heatmap(plain(size, 240), np.zeros((2, 2)), label="A rather long label, again and again. " * 9)
        assert picture.size == size
        border = np.asarray(picture)[:, -1]
        assert (border == border[0]).all()  # the plate ends before the right border

    def test_label_on_the_smallest_screen_breaks_nothing(self):
        assert draw_heatmap(plain((16, 16), 240), np.zeros((2, 2)), point=(8, 8), label="A label").size == (16, 16)
