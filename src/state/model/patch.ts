/** Some fields of an object. Optional wire fields are typed as possibly undefined, although JSON has no such value. */
export type Patch<T> = {readonly [K in keyof T]?: T[K] | undefined};
