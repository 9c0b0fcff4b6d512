/** Some fields of an object. Optional fields of the network are typed as possibly undefined, but JSON has no such value. */
export type Patch<T> = {readonly [K in keyof T]?: T[K] | undefined};
