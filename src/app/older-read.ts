import {markOldRead} from '#state/actions/mark-read.ts';
import type {Done} from '#state/deeds/deeds.ts';
import type {Narrow} from '#state/model/narrow.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import type {App} from './app.ts';
import {changeProblem} from './asking.ts';
import {confirm} from './confirm.ts';
import {undoKey} from './deeds.ts';
import {type KeptUndo, takeBack} from './kept-undo.ts';

/**
 * The server left out the oldest unread messages, which nobody here can name: it is asked to mark those read as well. Not
 * where something known is still unread, because it is filtered out or put off: that would go along.
 */
export function askAboutOld(app: App, name: string, narrow: Narrow): void {
  const upTo = app.frames.current.account.maxMessageId;
  const {unreads} = app.state;
  if (!unreads.oldMissing || unreadIdsOf(app.state, narrow).some((id) => id <= upTo)) return;
  confirm(app, {
    title: `The server may have older unread messages: ${name}`,
    yes: 'Mark those read too',
    onYes: (asked) => markOld(asked, name, narrow, upTo),
  });
}

/** Without a connection it waits on disk, as everything else that was done. It can be taken back from now on. */
function markOld(app: App, name: string, narrow: Narrow, upTo: number): void {
  const begun = begin(app, narrow, upTo);
  if (begun === undefined) return;
  const {action, inverse} = begun;
  const label = `Marked what is older read: ${name}`;
  const kept: KeptUndo = {label, at: app.clock.now(), keys: [], steps: [{kind: 'deed', inverse}]};
  app.undoStack.push({label, kept, undo: () => takeBack(app, kept)});
  const isOnline = app.state.connection.phase === 'online';
  const doing = isOnline
    ? `Marking what is older read: ${name}…`
    : `What is older is marked read once connected: ${name}`;
  app.toast(`${doing} · ${undoKey(app)} undo`);
  if (action.kind === 'oldRead') tellOutcome(app, action.id, name);
}

function begin(app: App, narrow: Narrow, upTo: number): Done | undefined {
  const {context, deeds} = app.session;
  const problem = changeProblem(app);
  if (problem !== undefined) {
    app.toast(problem, 'warning');
    return undefined;
  }
  try {
    return markOldRead(context, deeds, narrow, upTo);
  } catch (error) {
    app.toast(`Not done: ${error instanceof Error ? error.message : String(error)}`, 'error');
    return undefined;
  }
}

async function tellOutcome(app: App, id: string, name: string): Promise<void> {
  const {count, problem} = await app.session.deeds.outcome(id);
  if (problem !== undefined) app.toast(`Not all of what is older was marked read: ${problem}`, 'error');
  else if (count === 0) app.toast(`Nothing older is unread: ${name}`);
  else app.toast(`Marked what is older read: ${name} (${count})`);
}
