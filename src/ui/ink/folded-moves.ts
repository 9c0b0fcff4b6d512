/**
 * Replaces runs of “cursor to the next line” by one sequence. Ink writes one for every unchanged row: 47 times three bytes
 * for a key in a composer at the bottom of the screen.
 */
export function foldedMoves(frame: string): string {
  return frame.replaceAll(/(?:\u001b\[E){2,}/g, (moves) => `\u001b[${moves.length / 3}E`);
}
