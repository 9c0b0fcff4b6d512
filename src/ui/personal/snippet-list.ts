import {deleteSnippet, editSnippet, saveSnippet} from '#state/actions/snippets.ts';
import type {Snippet} from '#state/model/personal.ts';
import type {AccountState} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import {changeMessageText} from '#ui/composer/change-composer.ts';
import type {App} from '#ui/core/app.ts';
import {type Form, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordAction, type RecordRow} from '#ui/forms/record-list.ts';
import {insert} from '#ui/text/text-field.ts';
import {featureProblem} from '#wire/server-features.ts';

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
  const edit: RecordAction = {
    key: isComposing ? 'Ctrl-E' : 'Enter',
    hint: 'edit',
    disabledReason: (_row, {account}) => editProblem(account),
    run: (from, {key}) => openSnippetForm(from, Number(key)),
  };
  const insertAction: RecordAction = {
    key: 'Enter',
    hint: 'insert',
    isReadOnly: true,
    run: (from, {key}) => {
      const snippet = from.state.snippets.get(Number(key));
      from.closeOverlay();
      if (snippet !== undefined) changeMessageText(from, (field) => insert(field, snippet.content));
    },
  };
  openRecordList(app, {
    id: 'snippets',
    title: 'Saved snippets',
    placeholder: 'title or text',
    empty: 'No snippets: texts that you write often',
    rows: snippetRows,
    add: {
      label: text.trim() === '' ? 'New snippet…' : 'Save the text as a snippet…',
      disabledReason: ({account}) => snippetProblem(account),
      run: (from) => openNewSnippetForm(from, text),
    },
    actions: [
      ...(isComposing ? [insertAction] : []),
      edit,
      {key: 'Delete', hint: 'delete', run: (from, {key}) => removeSnippet(from, Number(key))},
    ],
  });
}

function snippetRows({account}: Frame): readonly RecordRow[] {
  return [...account.snippets.values()]
    .toSorted((a, b) => a.title.localeCompare(b.title))
    .map(({id, title, content}) => ({key: String(id), label: title, detail: printableLine(content)}));
}

function editProblem({server}: AccountState): string | undefined {
  return featureProblem(server.level, 'editSnippets');
}

type SnippetValues = {title: string; content: string};

function snippetForm(
  parts: Pick<Form<SnippetValues>, 'id' | 'title' | 'initial' | 'save' | 'isNew' | 'saveLabel'>,
): Form<SnippetValues> {
  return {
    ...parts,
    columns: 76,
    fields: ({account}) => [
      formField('text', 'title', 'Title', {isRequired: true, maxLength: maxTitleLength}),
      formField('text', 'content', 'Text', {
        isMultiline: true,
        isRequired: true,
        maxLength: account.server.maxMessageLength,
      }),
    ],
  };
}

function openNewSnippetForm(app: App, content: string): void {
  const form = snippetForm({
    id: 'new snippet',
    title: 'New snippet',
    isNew: true,
    saveLabel: 'Save the snippet',
    initial: () => ({title: '', content}),
    save: async (from, _changes, {title, content: text}) => {
      const {context} = from.session;
      const id = await saveSnippet(context, title, text);
      return offerUndo(from, `Saved the snippet “${title}”`, () => deleteSnippet(context, id), `Deleted “${title}”`);
    },
  });
  openForm(app, form);
}

function openSnippetForm(app: App, id: number): void {
  const form = snippetForm({
    id: `snippet ${id}`,
    title: 'Edit the snippet',
    initial: ({account}) => {
      const {title = '', content = ''} = account.snippets.get(id) ?? {};
      return {title, content};
    },
    save: async (from, changes, {title}, before) => {
      const {context} = from.session;
      await editSnippet(context, id, changes);
      const undo = () => editSnippet(context, id, before);
      return offerUndo(from, `Changed the snippet “${title}”`, undo, `Restored “${before.title}”`);
    },
  });
  openForm(app, form);
}

function removeSnippet(app: App, id: number): void {
  const snippet: Snippet | undefined = app.state.snippets.get(id);
  if (snippet === undefined) return;
  const {context} = app.session;
  const {title, content} = snippet;
  requestFromServer(app, {
    send: () => deleteSnippet(context, id),
    doneText: () => {
      const undo = () => saveSnippet(context, title, content);
      return offerUndo(app, `Deleted the snippet “${title}”`, undo, `Saved “${title}” again`);
    },
    failureText: `“${title}” was not deleted`,
  });
}

function offerUndo(app: App, label: string, undo: () => Promise<unknown>, undoneText: string): ToastMessage {
  return undoOffer(app, {label, undo, undoneText, undoingText: 'Undoing…', failureText: 'Not undone'});
}
