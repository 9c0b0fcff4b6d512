/** The levels that the embedded server can emulate; the client is tested against all of them. */
export const testedLevels = [122, 185, 237, 277, 371, 421, 498, 509];
