import {failureMessage, isApiFailure} from '#api/failure.ts';
import type {App} from '#app/core/app.ts';
import {errorText} from '#std/error-text.ts';
import {featureProblem, type NewerFeature} from '#wire/server-features.ts';

/** Returns the reason why nothing can be changed in this session. */
export function changeProblem({info}: Pick<App, 'info'>): string | undefined {
  return info.isReadOnly ? 'This session is read-only: nothing is changed' : undefined;
}

/** Returns the reason why this server lacks a feature. */
export function serverProblem({state}: Pick<App, 'state'>, feature: NewerFeature): string | undefined {
  return featureProblem(state.server.level, feature);
}

/** A request to the server, with the texts that report it. */
export interface ServerRequest<T> {
  /** Shown at once: `Moving…`. */
  readonly progressText?: string;
  readonly send: () => Promise<T>;
  /** Returns the text to show when it succeeded; undefined shows nothing. */
  readonly doneText: (value: T) => string | undefined;
  /** Shown before the reason of a failure: `Not moved`. */
  readonly failureText: string;
}

/** Sends a request whose effect shows only once the server confirms it. Does not wait: a toast reports the result. */
export function requestFromServer<T>(app: App, {progressText, send, doneText, failureText}: ServerRequest<T>): void {
  const problem = changeProblem(app);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return;
  }
  if (progressText !== undefined) app.toast(progressText);
  send().then(
    (value) => {
      const text = doneText(value);
      if (text !== undefined) app.toast(text);
    },
    (error: unknown) => {
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(`${failureText}: ${reason}`, 'error');
    },
  );
}

/** Returns the reason of a failure for the user; undefined when the session has ended, which needs no report. */
export function failureReason(error: unknown): string | undefined {
  if (isApiFailure(error)) return failureMessage(error);
  const isEnd = error instanceof Error && error.message === 'The session has ended';
  return isEnd ? undefined : errorText(error);
}
