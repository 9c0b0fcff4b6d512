/** A message that times out. */
export interface Toast {
  readonly text: string;
  readonly tone: 'plain' | 'warning' | 'error';
  /** Distinguishes this toast from the next one with the same text. */
  readonly id: number;
}
