import type {App} from '#app/app.ts';
import {composeProblem} from '#app/compose/opening.ts';
import {chosenItems, undoLatest} from '#app/inbox/acting.ts';
import {
  copyPreview,
  giveThumb,
  noMessage,
  pickLink,
  pickReaction,
  replyToRow,
  replyToSender,
  starFirst,
} from '#app/inbox/answering.ts';
import {openLaterMenu} from '#app/inbox/later-menu.ts';
import {isOver} from '#app/inbox/over.ts';
import {triagedRow} from '#app/inbox/preview.ts';
import {openReview} from '#app/inbox/review.ts';
import {markDone, readOn} from '#app/inbox/verbs.ts';
import {markWholeDone} from '#app/inbox/whole-group.ts';
import {cursorRow} from '#app/lists/listing.ts';
import {setFolded} from '#app/lists/opening.ts';
import type {Command} from './command.ts';

/** When nothing is left, what is muted is still there, but nobody sees it: no key is about it. */
function noRow({frame}: App): string | undefined {
  return isOver(frame) || cursorRow(frame, 'inbox') === undefined ? 'Nothing is left here.' : undefined;
}

function noConversation(app: App): string | undefined {
  return chosenItems(app.frame).length === 0 ? 'There is no conversation here.' : undefined;
}

function cannotReply(app: App): string | undefined {
  return (
    composeProblem(app) ??
    (triagedRow(app.frame) === undefined ? 'There is no conversation here.' : undefined)
  );
}

function fold(app: App): void {
  const row = cursorRow(app.frame, 'inbox');
  if (row === undefined) return;
  if (!setFolded(app, 'inbox', row, true)) setFolded(app, 'inbox', row, false);
}

const inInbox = (command: Omit<Command, 'contexts'>): Command => ({contexts: ['inbox'], ...command});

export const inboxCommands: readonly Command[] = [
  inInbox({
    id: 'triage.done',
    title: 'Done: mark read and go to the next',
    hint: 'done',
    disabledReason: noRow,
    run: (app) => markDone(app),
  }),
  inInbox({
    id: 'triage.readon',
    title: 'Read on; at the end, mark read and go to the next',
    hint: 'read on',
    disabledReason: noRow,
    run: readOn,
  }),
  inInbox({
    id: 'triage.reply',
    title: 'Reply here; once sent, mark read and go to the next',
    hint: 'reply',
    disabledReason: cannotReply,
    run: replyToRow,
  }),
  inInbox({
    id: 'triage.reply.dm',
    title: 'Write to whoever wrote last, alone',
    disabledReason: (app) => composeProblem(app) ?? noMessage(app),
    run: replyToSender,
  }),
  inInbox({
    id: 'triage.later',
    title: 'Later: hide it until the end, in an hour, tomorrow or the next message',
    hint: 'later',
    disabledReason: noConversation,
    run: openLaterMenu,
  }),
  inInbox({
    id: 'triage.undo',
    title: 'Undo what was done last, and go back to it',
    hint: 'undo',
    run: undoLatest,
  }),
  inInbox({
    id: 'triage.thumb',
    title: 'Thumbs up for the latest unread message',
    disabledReason: noMessage,
    run: giveThumb,
  }),
  inInbox({
    id: 'triage.react',
    title: 'React to the latest unread message',
    disabledReason: noMessage,
    run: pickReaction,
  }),
  inInbox({
    id: 'triage.star',
    title: 'Star the first unread message, to come back to it',
    disabledReason: noMessage,
    run: starFirst,
  }),
  inInbox({
    id: 'triage.links',
    title: 'Links of what is in sight',
    disabledReason: noMessage,
    run: pickLink,
  }),
  inInbox({
    id: 'triage.copytext',
    title: 'Copy what is unread',
    disabledReason: noMessage,
    run: copyPreview,
  }),
  inInbox({
    id: 'triage.done.group',
    title: 'Done with the whole channel or group',
    disabledReason: noRow,
    run: markWholeDone,
  }),
  inInbox({id: 'triage.fold', title: 'Fold or unfold the group', disabledReason: noRow, run: fold}),
  inInbox({id: 'triage.review', title: 'Review what was done, and take it back', run: openReview}),
];
