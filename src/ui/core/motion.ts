/** A cursor movement within the focused pane. */
export type Motion = StepMotion | {readonly to: 'first' | 'last'};

/** A step by a row, a page, half a page or a line. */
export interface StepMotion {
  readonly by: 'item' | 'page' | 'half' | 'line';
  readonly step: 1 | -1;
}
