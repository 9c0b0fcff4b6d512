/**
 * What the keys of an open picker, card or form act on. The screen shows these and never calls their functions, so it knows nothing
 * of their owner: the layer above declares that it is an `App`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: `core/app.ts` of the layer above adds the members.
export interface Owner {}
