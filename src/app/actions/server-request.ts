import {failureMessage, isApiFailure} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';

/** Why nothing can be changed from here. */
export function changeProblem({info: facts}: Pick<App, 'info'>): string | undefined {
  return facts.isReadOnly ? 'This session is read-only: nothing is changed' : undefined;
}

export interface ServerRequest<T> {
  /** Said at once: `Moving…`. */
  readonly progressText?: string;
  readonly send: () => Promise<T>;
  /** Says that it was done; nothing when it gives nothing. */
  readonly doneText: (value: T) => string | undefined;
  /** Before the reason: `Not moved`. */
  readonly failureText: string;
}

/** Asks for what shows only once the server says so. Nobody waits: how it went is said when it is known. */
export function requestFromServer<T>(
  app: App,
  {progressText: doing, send: ask, doneText: done, failureText: failed}: ServerRequest<T>,
): void {
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
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(`${failed}: ${reason}`, 'error');
    },
  );
}

/** Undefined for what is nobody's concern: the session has ended. */
export function failureReason(error: unknown): string | undefined {
  if (isApiFailure(error)) return failureMessage(error);
  const isEnd = error instanceof Error && error.message === 'The session has ended';
  return isEnd ? undefined : error instanceof Error ? error.message : String(error);
}
