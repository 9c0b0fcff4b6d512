import type {UploadSpace} from '#state/fetches/fetch-messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import type {Attachment} from '#state/state.ts';
import {sizeText} from '#std/size-text.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {openRecordList, type RecordAction, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {copyText} from '#ui/message-actions/message-content.ts';
import {openFile, saveFile} from '#ui/message-actions/open-link.ts';
import {openMessage} from '#ui/navigation/navigation.ts';

const mib = 1024 * 1024;

/** Opens the list of the user's uploaded files, the newest first. Events keep it current. */
export function openFileList(app: App): void {
  let unsubscribe = () => {};
  const list = openRecordList<UploadSpace>(app, {
    id: 'my files',
    title: 'My files',
    placeholder: 'find a file',
    empty: 'No files: Ctrl-X a in the composer uploads one',
    columns: 84,
    load: () => app.session.fetchAttachments(),
    rows: (frame, space) => fileRows(frame, space),
    actions: fileActions,
    onClose: () => unsubscribe(),
  });
  // The space that files use changes with them, and only a response says it.
  unsubscribe = app.session.cache.subscribe(['attachments'], list.reload);
}

function fileRows(frame: Frame, space: UploadSpace): readonly RecordRow[] {
  const files = [...frame.account.attachments.values()].toSorted((a, b) => b.createTime - a.createTime || b.id - a.id);
  if (files.length === 0) return [];
  return [
    {key: 'title', label: totalText(files), detail: quotaText(frame, space), isTitle: true},
    ...files.map((file) => ({
      key: String(file.id),
      label: file.name,
      detail: `${momentText(frame, file.createTime * 1000)} · ${usesText(file)}`,
      right: sizeText(file.size),
      rightRole: 'text' as const,
    })),
  ];
}

function totalText(files: readonly Attachment[]): string {
  const total = files.reduce((sum, {size}) => sum + size, 0);
  return `${countedNoun(files.length, 'file')}, ${sizeText(total)}`;
}

/** Returns the space of all files of the organization, and its limit. */
function quotaText({account}: Frame, {used}: UploadSpace): string | undefined {
  if (used === undefined) return undefined;
  const quota = account.realm.uploadQuotaMib;
  const limit = typeof quota === 'number' ? ` of ${sizeText(quota * mib)}` : '';
  return `the organization uses ${sizeText(used)}${limit}`;
}

function usesText({messageIds}: Attachment): string {
  return messageIds.length === 0 ? 'in no message' : `in ${countedNoun(messageIds.length, 'message')}`;
}

function fileOf({account}: Frame, {key}: RecordRow): Attachment | undefined {
  return account.attachments.get(Number(key));
}

function urlOf({pathId}: Attachment): string {
  return `/user_uploads/${pathId}`;
}

function withFile(run: (app: App, file: Attachment) => void): RecordAction['run'] {
  return (app, row) => {
    const file = fileOf(app.frame, row);
    if (file !== undefined) run(app, file);
  };
}

const fileActions: readonly RecordAction[] = [
  recordAction('Enter', 'open', {
    isReadOnly: true,
    run: withFile((app, file) => openFile(app, {...file, url: urlOf(file), kind: 'file'})),
  }),
  recordAction('Ctrl-T', 'save', {
    isReadOnly: true,
    run: withFile((app, file) => saveFile(app, {...file, url: urlOf(file), kind: 'file'})),
  }),
  recordAction('Ctrl-O', 'messages', {
    isReadOnly: true,
    disabledReason: (row, frame) =>
      fileOf(frame, row)?.messageIds.length === 0 ? 'No message links to this file' : undefined,
    run: withFile(showMessages),
  }),
  recordAction('Ctrl-Y', 'copy link', {
    isReadOnly: true,
    run: withFile((app, file) => {
      const url = app.session.context.api.connection.webUrl(urlOf(file)) ?? urlOf(file);
      copyText(app, url, 'the link to the file');
    }),
  }),
  recordAction('Delete', 'delete', {
    confirm: (row, frame) => {
      const file = fileOf(frame, row);
      const isUsed = file !== undefined && file.messageIds.length > 0;
      return {
        title: `Delete ${row.label}?`,
        yes: 'Delete the file',
        detail: isUsed ? 'links in messages will not work; this cannot be undone' : 'this cannot be undone',
      };
    },
    run: (app, {key, label}) => {
      requestFromServer(app, {
        send: () => app.session.context.api.deleteAttachment({attachment_id: Number(key)}),
        doneText: () => `Deleted ${label}`,
        failureText: `${label} was not deleted`,
      });
    },
  }),
];

/** Opens the message that links to the file, or a list of them. */
function showMessages(app: App, {messageIds, name}: Attachment): void {
  const [only, ...others] = messageIds;
  if (only === undefined) return;
  if (others.length === 0) {
    goTo(app, only);
    return;
  }
  const {session} = app;
  openRecordList(app, {
    id: 'messages with a file',
    title: `Messages with ${name}`,
    load: () => Promise.allSettled(messageIds.map((id) => session.fetchMessage(id))),
    rows: ({account}, results) =>
      results.flatMap((result) => {
        if (result.status === 'rejected') return [];
        const {id, content, facts} = result.value;
        return [
          {
            key: String(id),
            label: conversationTitle(account, conversationOf(result.value)),
            detail: excerpt(content, messageContext(account), facts),
          },
        ];
      }),
    actions: [recordAction('Enter', 'open', {isReadOnly: true, run: (from, {key}) => goTo(from, Number(key))})],
  });
}

function goTo(app: App, messageId: number): void {
  while (app.screen.overlays.length > 0) app.closeOverlay();
  openMessage(app, messageId, 'The message was not found.');
}
