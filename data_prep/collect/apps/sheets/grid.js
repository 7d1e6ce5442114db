// What both spreadsheets share. `grid.cells()` has [row, column, box, text, look] of the cells in view.
grid.takes = (x, y) => {  // whether a point is the sheet's own, and nothing lies over it
  const top = viscritic.at(x, y);
  return !!top && grid.surface().contains(top) && !top.isContentEditable && !top.closest("input,textarea,button");
};
grid.cellAt = (x, y) => {
  const cell = grid.takes(x, y) && grid.cells().find(([, , box]) => box[0] <= x && x < box[0] + box[2] && box[1] <= y && y < box[1] + box[3]);
  return cell ? [cell[0], cell[1]] : null;
};
grid.near = () => {  // the cells of the table and around it: nobody speaks of the others
  const cells = grid.cells(), filled = cells.filter(cell => cell[3]);
  const [down, right] = [0, 1].map(side => Math.max(4, ...filled.map(cell => cell[side])) + 2);
  return cells.filter(([row, column, box]) => row <= down && column <= right && grid.takes(box[0] + box[2] / 2, box[1] + box[3] / 2));
};
// The names of icons, which a tooltip tells; the tooltips themselves come and go with the pointer, and are left out.
grid.name = () => document.querySelectorAll("[data-tips],[data-tooltip],[title]").forEach(node => node.setAttribute("aria-label", node.dataset.tips || node.dataset.tooltip || node.title));
document.head.insertAdjacentHTML("beforeend", "<style>.luckysheet-tooltip-up,.x-spreadsheet-tooltip{display:none!important}</style>");
