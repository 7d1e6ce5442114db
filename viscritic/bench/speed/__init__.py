"""What a verdict costs, beside what people use instead.

clock.py      contestants that take turns, their median and 95th percentile
screens.py    made-up screens of any size, and what may change on them
rivals.py     scikit-image's SSIM, a dense Siamese ViT
scores.py     whole verdicts: by change, by size, in a row, many at once
stages.py     where the time of one verdict goes
footprint.py  memory, import, first verdict, sizes on disk
curves.py     latency against screen size and changed area, as a picture
report.py     the table, the bars, the comparison with a former run
"""
