/** The indexed colours that all terminals with 256 colours share: a cube of 216 colours, and 24 greys. */

export type Rgb = readonly [red: number, green: number, blue: number];

const cubeLevels = [0, 95, 135, 175, 215, 255];

/** Returns the nearest indexed colour. Images have many thousands of pixels, so it makes as few objects as possible. */
export function nearestIndexed([red, green, blue]: Rgb): number {
  const inCube = 16 + 36 * nearestLevel(red) + 6 * nearestLevel(green) + nearestLevel(blue);
  const grey = 232 + Math.min(23, Math.max(0, Math.round((red + green + blue - 24) / 30)));
  const distance = ([r, g, b]: Rgb) => (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
  return distance(indexedRgb(inCube)) <= distance(indexedRgb(grey)) ? inCube : grey;
}

/** Returns the components of an indexed colour from 16 to 255. */
export function indexedRgb(index: number): Rgb {
  if (index >= 232) {
    const level = 8 + 10 * (index - 232);
    return [level, level, level];
  }
  const cubeIndex = index - 16;
  const level = (position: number): number => cubeLevels[position % 6] ?? 0;
  return [level(Math.floor(cubeIndex / 36)), level(Math.floor(cubeIndex / 6)), level(cubeIndex)];
}

/** The levels are 0, 95, and from there every 40. Between two it is the lower one. */
function nearestLevel(value: number): number {
  if (value < 48) return 0;
  return value <= 115 ? 1 : Math.ceil((value - 75) / 40);
}
