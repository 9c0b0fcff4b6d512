/** Returns the rows of a table with commas between its cells. A cell in double quotes may have commas, lines and `""`. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = text.replace(/^\uFEFF/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g);
  for (const [whole, quoted, plain = '', end] of cells) {
    if (whole === '' && row.length === 0) break;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.some((cell) => cell.trim() !== '')) rows.push(row);
    row = [];
  }
  return rows;
}
