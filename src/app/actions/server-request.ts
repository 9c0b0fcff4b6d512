import {isApiFailure, sentence} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';

/** Why nothing can be changed from here. */
export function changeProblem({facts}: Pick<App, 'facts'>): string | undefined {
  return facts.isReadOnly ? 'This session is read-only: nothing is changed' : undefined;
}

export interface Request<T> {
  /** Said at once: `Moving…`. */
  readonly doing?: string;
  readonly ask: () => Promise<T>;
  /** Says that it was done; nothing when it gives nothing. */
  readonly done: (value: T) => string | undefined;
  /** Before the reason: `Not moved`. */
  readonly failed: string;
}

/** Asks for what shows only once the server says so. Nobody waits: how it went is said when it is known. */
export function askServer<T>(app: App, {doing, ask, done, failed}: Request<T>): void {
  const problem = changeProblem(app);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return;
  }
  if (doing !== undefined) app.toast(doing);
  ask().then(
    (value) => {
      const said = done(value);
      if (said !== undefined) app.toast(said);
    },
    (error: unknown) => {
      const reason = reasonOf(error);
      if (reason !== undefined) app.toast(`${failed}: ${reason}`, 'error');
    },
  );
}

/** Undefined for what is nobody's concern: the session has ended. */
export function reasonOf(error: unknown): string | undefined {
  if (isApiFailure(error)) return sentence(error);
  const isEnd = error instanceof Error && error.message === 'The session has ended';
  return isEnd ? undefined : error instanceof Error ? error.message : String(error);
}
