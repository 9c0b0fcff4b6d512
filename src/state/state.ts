import type {slices} from './slices.ts';

type Slices = typeof slices;

/** Everything the client knows about one account. Each property is a slice of the cache, replaced and never mutated. */
export type AccountState = {readonly [Name in keyof Slices]: Slices[Name]['initial']};

export type SliceName = keyof AccountState;

/** The types of events that change one slice, whose record has the applier. */
export type SliceEventType = {[Name in SliceName]: keyof Slices[Name]['appliers']}[SliceName];
