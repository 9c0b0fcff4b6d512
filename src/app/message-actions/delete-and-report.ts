import {restoreIfWriting} from '#app/composer/sync-with-drafts.ts';
import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {confirm} from '#app/overlays/picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import {deleteMessage, reportMessage} from '#state/actions/messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import {canDeleteMessage} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {type FormChoice, formField} from '#ui/core/form.ts';
import {type ToastMessage, withDraftsKey, withUndoKey} from '#ui/core/toast-message.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {cachedBody, newBody} from '#ui/message-pane/lines/typeset.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';

export function deleteProblem(app: AppReader, message: Message): string | undefined {
  return refusalReason(canDeleteMessage(app.state, message, app.clock.now()));
}

/** Asks for confirmation, because the message is deleted for everyone and permanently. */
export function confirmDelete(app: App, message: Message): void {
  const {id, content, facts, senderId, senderName} = message;
  const isOwn = senderId === app.state.self.userId;
  confirm(app, {
    title: isOwn
      ? 'Delete your message?'
      : composed`Delete the message from ${userName(app.state, senderId, senderName)}?`,
    yes: 'Delete for everyone',
    detail: excerpt(content, messageContext(app.state), facts),
    onYes: (from) =>
      requestFromServer(from, {
        progressText: 'Deleting…',
        send: () => deleteMessage(from.session.context, id),
        doneText: () => (isOwn ? deletedOwn(from, message) : 'Deleted the message'),
        permanentText: 'Deleting a message cannot be undone',
        place: conversationTitle(app.state, conversationOf(message)),
        failureText: 'Not deleted',
      }),
  });
}

/** Records that the user deleted an own message: undo keeps its text as a draft. Returns the toast, which says so. */
function deletedOwn(app: App, message: Message): ToastMessage {
  const label = 'Deleted the message';
  const target = conversationOf(message);
  app.undoStack.push({
    label,
    record: {label, at: app.clock.now(), keys: [], steps: [], place: conversationTitle(app.state, target)},
    undo: () => {
      const draft = app.session.drafts.edit(undefined, {target, content: message.content});
      if (draft === undefined) return undefined;
      if (restoreIfWriting(app, draft)) return 'The deleted text is in the composer';
      return withDraftsKey('The deleted text is a draft');
    },
  });
  return withUndoKey(label, 'keeps its text as a draft');
}

type ReportValues = {readonly type: string; readonly description: string};

const maxDescriptionLength = 1000;
/** The reason that needs an explanation. */
const otherReason = 'other';

/** Returns why messages cannot be reported. Servers that can list the reasons. */
export function reportProblem({state}: AppReader): string | undefined {
  if (state.server.serverReportMessageTypes === undefined) return 'Reporting messages needs Zulip 12.';
  const channel = state.realm.moderationRequestChannelId ?? -1;
  return channel < 0 ? 'This organization has no channel for reports.' : undefined;
}

/** Opens the form that reports a message to the moderators. */
export function openReportForm(app: App, {id, senderId}: Message): void {
  openForm<ReportValues>(app, {
    id: `report ${id}`,
    title: composed`Report the message of ${userName(app.state, senderId)} to the moderators`,
    isNew: true,
    saveLabel: 'Send the report',
    initial: ({account}) => ({type: account.server.serverReportMessageTypes?.[0]?.key ?? '', description: ''}),
    fields: ({account}, {type}) => [
      formField('choice', 'type', 'Reason', {
        choices: (account.server.serverReportMessageTypes ?? []).map(
          ({key, name}): FormChoice => ({value: key, label: name}),
        ),
      }),
      formField('text', 'description', 'Explanation', {
        help: 'The moderators see it with the message and your name.',
        isMultiline: true,
        maxLength: maxDescriptionLength,
        ...(type === otherReason && {isRequired: true}),
      }),
    ],
    save: async ({session}, _changes, {type, description}) => {
      await reportMessage(session.context, {
        message_id: id,
        report_type: type,
        ...(description !== '' && {description}),
      });
      return 'Reported to the moderators';
    },
  });
}

/**
 * Expands a message with its spoilers, or folds it. A message with nothing to expand is collapsed to one line, which
 * other clients show too.
 */
export function toggleCollapsed(app: App, message: Message): void {
  const {id} = message;
  const isExpanded = app.screen.expandedMessageIds.has(id);
  const isCollapsed = message.flags.includes('collapsed');
  if (isCollapsed && !isExpanded) {
    performUndoable(app, {kind: 'flags', op: 'remove', flag: 'collapsed', ids: [id]}, 'Expanded the message');
  } else if (isExpanded || hasMore(app, message)) {
    app.update((screen) => {
      const expanded = new Set(screen.expandedMessageIds);
      if (!expanded.delete(id)) expanded.add(id);
      return {...screen, expandedMessageIds: expanded};
    });
  } else {
    performUndoable(app, {kind: 'flags', op: 'add', flag: 'collapsed', ids: [id]}, 'Collapsed the message');
  }
}

/** Whether part of the message is hidden. */
function hasMore(app: App, message: Message): boolean {
  const typeset = mainTimelineNow(app.frame)?.typeset;
  const body = typeset && cachedBody(typeset, message);
  if (typeset === undefined || body === undefined) return false;
  const whole = newBody(typeset, message, {
    ...body.bodyOptions,
    isExpanded: true,
    isHidden: false,
    isCollapsed: false,
  });
  return whole.lines.length !== body.lines.length || body.bodyOptions.isHidden;
}
