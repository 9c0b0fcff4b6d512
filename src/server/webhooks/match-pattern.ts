/** Returns whether a text matches a pattern in which `*` stands for any characters and `?` for one. */
export function matchesPattern(pattern: string, text: string): boolean {
  let [at, position] = [0, 0];
  let star: {readonly at: number; readonly position: number} | undefined;
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = {at, position};
      at++;
    } else if (pattern[at] === '?' || pattern[at] === text[position]) {
      at++;
      position++;
    } else if (star !== undefined) {
      // The last star takes one more character; earlier ones never need to.
      star = {at: star.at, position: star.position + 1};
      at = star.at + 1;
      position = star.position;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}
