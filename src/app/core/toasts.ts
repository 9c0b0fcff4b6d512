/** A sentence that goes by itself. */
export interface Toast {
  readonly text: string;
  readonly tone: 'plain' | 'warning' | 'error';
  /** Tells this one from the next with the same words. */
  readonly id: number;
}
