import {reactivateUser} from '#state/actions/people.ts';
import {distinctUserName} from '#state/selectors/names/names.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';

/** Reactivates a person or a bot. */
export function reactivate(app: App, userId: number): void {
  const name = distinctUserName(app.state, userId);
  requestFromServer(app, {
    progressText: `Reactivating ${name}…`,
    send: () => reactivateUser(app.session.context, userId),
    doneText: () => `Reactivated ${name}`,
    failureText: `${name} was not reactivated`,
  });
}

/** Puts the deactivation of a person or a bot into the undo history. */
export function pushDeactivation(app: App, userId: number): void {
  const name = distinctUserName(app.state, userId);
  app.undoStack.push({
    label: `Deactivated ${name}`,
    undo: () => {
      reactivate(app, userId);
      return `Reactivating ${name}…`;
    },
  });
}
