export interface StepMotion {
  readonly by: 'item' | 'page' | 'half' | 'line';
  readonly step: 1 | -1;
}

/** Where to go within what has the keys. */
export type Motion = StepMotion | {readonly to: 'first' | 'last'};
