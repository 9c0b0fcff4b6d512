import {changeMessageText} from '#app/composer/change-composer.ts';
import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {openForm} from '#app/forms/open-form.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {openRecordList, type RecordAction, type RecordRow, recordAction, viewAction} from '#app/forms/record-list.ts';
import {openFile, saveFile} from '#app/links/open-link.ts';
import {openMessage} from '#app/navigation/navigation.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {performAllUndoable, performUndoable} from '#app/undo/perform-undoable.ts';
import type {MutedUserAction} from '#state/actions/message-flags.ts';
import {deleteAttachment, saveSnippet} from '#state/actions/messages.ts';
import type {UploadSpace} from '#state/fetches/fetch-messages.ts';
import {messagesByIds, uploadSpace} from '#state/fetches/queries.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {conversationTitle, distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import type {Attachment} from '#state/slices/attachments.ts';
import type {Snippet} from '#state/slices/snippets.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {sizeText} from '#std/size-text.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {insert} from '#ui/text/text-field.ts';
import {featureProblem} from '#wire/server-features.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {momentText} from '#wording/moment-text.ts';

/** Opens the list of muted people, to mute and unmute them. */
export function openMutedPeopleList(app: App): void {
  openRecordList(app, {
    id: 'muted people',
    title: 'Muted people',
    placeholder: 'find a person',
    empty: 'Nobody: messages of muted people are hidden and read',
    rows: (frame) => {
      const {account} = frame;
      const muted = [...account.mutedUsers.values()];
      return sortedByName(muted, ({id}) => userName(account, id)).map(({id, timestamp}) => ({
        key: String(id),
        label: distinctUserName(account, id),
        detail: `since ${momentText(frame, timestamp * 1000)}`,
      }));
    },
    add: {label: 'Mute people…', run: openMuteForm},
    actions: [
      viewAction('Enter', 'shows the profile', (from, {key}) => openUserCard(from, Number(key))),
      recordAction('Delete', 'unmutes', {
        run: (from, {key, label}) => {
          performUndoable(from, {kind: 'mutedUser', userId: Number(key), isMuted: false}, composed`Unmuted ${label}`);
        },
      }),
    ],
  });
}

function openMuteForm(app: App): void {
  openForm<{userIds: readonly number[]}>(app, {
    id: 'mute people',
    title: 'Mute people',
    saveLabel: 'Mute',
    initial: () => ({userIds: []}),
    fields: () => [
      formField('people', 'userIds', 'People', {
        help: 'Their messages are hidden and marked read. They are not told.',
        emptyText: 'nobody yet: type a name',
        isOffered: (id, {account}) => id !== account.self.userId && !account.mutedUsers.has(id),
      }),
    ],
    save: async (from, {userIds = []}) => {
      const actions = userIds.map((userId): MutedUserAction => ({kind: 'mutedUser', userId, isMuted: true}));
      const [only = 0, ...others] = userIds;
      const whom = others.length === 0 ? userName(from.state, only) : `${userIds.length} people`;
      performAllUndoable(from, actions, composed`Muted ${whom}`);
      return undefined;
    },
  });
}

const maxWordLength = 100;

/** Opens the list of words that are highlighted in messages, to add and remove them. */
export function openAlertWordsList(app: App): void {
  openRecordList(app, {
    id: 'alert words',
    title: 'Alert words',
    placeholder: 'find a word',
    empty: 'No alert words: messages with one are highlighted, and notify you',
    rows: ({account}) =>
      account.alertWords.toSorted((a, b) => a.localeCompare(b)).map((word) => ({key: word, label: word})),
    add: {label: 'Add words…', run: openAddForm},
    actions: [
      recordAction('Delete', 'removes', {
        run: (from, {key}) => {
          performUndoable(
            from,
            {kind: 'alertWords', op: 'remove', words: [key]},
            composed`Removed the alert word “${key}”`,
          );
        },
      }),
    ],
  });
}

function wordsIn(text: string): readonly string[] {
  const words = text.split(/[,\n]/).map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}

function openAddForm(app: App): void {
  openForm<{words: string}>(app, {
    id: 'add alert words',
    title: 'Add alert words',
    isNew: true,
    saveLabel: 'Add',
    initial: () => ({words: ''}),
    fields: () => [
      formField('text', 'words', 'Words', {
        isMultiline: true,
        isRequired: true,
        help: 'Several words or phrases: one on each line, or separated by commas.',
        validate: (text) => {
          const tooLong = wordsIn(text).find((word) => [...word].length > maxWordLength);
          return tooLong === undefined
            ? undefined
            : composed`A word may have ${maxWordLength} characters: “${tooLong.slice(0, 20)}…”`;
        },
      }),
    ],
    save: async (from, {words: text = ''}) => {
      const words = wordsIn(text);
      const [only = '', ...others] = words;
      const what = others.length === 0 ? composed`the alert word “${only}”` : countedNoun(words.length, 'alert word');
      const isAdded = performUndoable(from, {kind: 'alertWords', op: 'add', words}, composed`Added ${what}`);
      return isAdded ? undefined : 'All of these are alert words already';
    },
  });
}

const maxTitleLength = 60;

/** Returns why the server has no saved snippets. */
export function snippetProblem({server}: AccountState): string | undefined {
  return featureProblem(server.level, 'savedSnippets');
}

/** Opens the list of saved snippets. From the composer, Enter inserts one; elsewhere it edits it. */
export function openSnippetList(app: App): void {
  const {composer, focus} = app.screen;
  const isComposing = composer.isOpen && focus === 'composer';
  const text = isComposing ? composer.field.text : '';
  const insertAction = viewAction('Enter', 'inserts', (from, {key}) => {
    const snippet = from.state.snippets.get(Number(key));
    from.closeOverlay();
    if (snippet !== undefined) changeMessageText(from, (field) => insert(field, snippet.content));
  });
  const {list} = snippets;
  openRecordList(app, {
    ...list,
    // Enter inserts the first snippet.
    addsLast: isComposing,
    add: {
      label: text.trim() === '' ? list.addLabel : 'Save the text as a snippet…',
      disabledReason: ({account}) => snippetProblem(account),
      run: (from) => snippets.openForm(from, undefined, {content: text}),
    },
    actions: [
      ...(isComposing ? [insertAction] : []),
      recordAction(isComposing ? 'Ctrl-E' : 'Enter', 'edits', {
        disabledReason: (_row, {account}) => featureProblem(account.server.level, 'editSnippets'),
        run: (from, {key}) => snippets.openForm(from, Number(key)),
      }),
      ...snippets.removeActions(),
    ],
  });
}

function snippetRows({account}: Frame): readonly RecordRow[] {
  return [...account.snippets.values()]
    .toSorted((a, b) => a.title.localeCompare(b.title))
    .map(({id, title, content}) => ({key: String(id), label: title, detail: printableLine(content)}));
}

const undoTexts = {undoing: 'Undoing…', notUndone: 'Not undone'} as const;

const snippets = new RecordKind<Snippet, {title: string; content: string}, number>({
  noun: 'snippet',
  list: {
    id: 'snippets',
    title: 'Saved snippets',
    placeholder: 'title or text',
    empty: 'No snippets: texts that you write often',
    addLabel: 'New snippet…',
    rows: snippetRows,
  },
  keyOf: Number,
  find: ({account}, id) => account.snippets.get(id),
  form: {
    title: 'Edit the snippet',
    newTitle: 'New snippet',
    createLabel: 'Save the snippet',
    columns: 76,
    values: (snippet) => ({title: snippet?.title ?? '', content: snippet?.content ?? ''}),
    fields: ({account}) => [
      formField('text', 'title', 'Title', {isRequired: true, maxLength: maxTitleLength}),
      formField('text', 'content', 'Text', {
        isMultiline: true,
        isRequired: true,
        maxLength: account.server.maxMessageLength,
      }),
    ],
  },
  create: (context, {title, content}) => saveSnippet(context, title, content),
  created: ({title}) => ({
    ...undoTexts,
    done: composed`Saved the snippet “${title}”`,
    undone: composed`Deleted “${title}”`,
  }),
  change: {
    update: ({api}, id, {changes}) => api.editSnippet({saved_snippet_id: id, ...changes}),
    texts: ({values: {title}, before}) => ({
      ...undoTexts,
      done: composed`Changed the snippet “${title}”`,
      undone: composed`Restored “${before.title}”`,
    }),
  },
  removal: {
    remove: ({api}, id) => api.deleteSnippet({saved_snippet_id: id}),
    hint: 'deletes',
    texts: ({title}) => ({
      ...undoTexts,
      done: composed`Deleted the snippet “${title}”`,
      failed: composed`“${title}” was not deleted`,
      undone: composed`Saved “${title}” again`,
    }),
  },
});

const mib = 1024 * 1024;

/** Opens the list of the user's uploaded files, the newest first. Events keep it current. */
export function openFileList(app: App): void {
  openRecordList(app, {
    id: 'my files',
    title: 'My files',
    placeholder: 'find a file',
    empty: 'No files: Ctrl-X a in the composer uploads one',
    columns: 84,
    reads: [uploadSpace()],
    rows: (frame, [space]) => fileRows(frame, space),
    actions: fileActions,
  });
}

function fileRows(frame: Frame, space: UploadSpace | undefined): readonly RecordRow[] {
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
function quotaText({account}: Frame, space: UploadSpace | undefined): string | undefined {
  const used = space?.used;
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

/** Returns an action that only shows something of a file. */
function fileAction(
  key: string,
  hint: string,
  run: (app: App, file: Attachment & {readonly url: string; readonly kind: 'file'}) => void,
): RecordAction {
  return recordAction(key, hint, {
    isReadOnly: true,
    run: (app, row) => {
      const file = fileOf(app.frame, row);
      if (file !== undefined) run(app, {...file, url: `/user_uploads/${file.pathId}`, kind: 'file'});
    },
  });
}

const fileActions: readonly RecordAction[] = [
  fileAction('Enter', 'opens', openFile),
  fileAction('Ctrl-T', 'saves', saveFile),
  {
    ...fileAction('Ctrl-O', 'lists its messages', showMessages),
    disabledReason: (row, frame) =>
      fileOf(frame, row)?.messageIds.length === 0 ? 'No message links to this file' : undefined,
  },
  fileAction('Ctrl-Y', 'copies the link', (app, {url}) =>
    copyText(app, app.session.context.api.connection.webUrl(url) ?? url, 'the link to the file'),
  ),
  recordAction('Delete', 'deletes', {
    confirm: (row, frame) => {
      const file = fileOf(frame, row);
      const isUsed = file !== undefined && file.messageIds.length > 0;
      return {
        title: composed`Delete ${row.label}?`,
        yes: 'Delete the file',
        detail: isUsed ? 'links in messages will not work; this cannot be undone' : 'this cannot be undone',
      };
    },
    run: (app, {key, label}) => {
      requestFromServer(app, {
        send: () => deleteAttachment(app.session.context, Number(key)),
        doneText: () => composed`Deleted ${label}`,
        failureText: composed`${label} was not deleted`,
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
  openRecordList(app, {
    id: 'messages with a file',
    title: composed`Messages with ${name}`,
    reads: [messagesByIds(messageIds)],
    rows: ({account}, [messages = []]) =>
      messages.map((message) => ({
        key: String(message.id),
        label: conversationTitle(account, conversationOf(message)),
        detail: excerpt(message.content, messageContext(account), message.facts),
      })),
    actions: [recordAction('Enter', 'opens', {isReadOnly: true, run: (from, {key}) => goTo(from, Number(key))})],
  });
}

function goTo(app: App, messageId: number): void {
  while (app.screen.overlays.length > 0) app.closeOverlay();
  openMessage(app, messageId, 'The message was not found.');
}
