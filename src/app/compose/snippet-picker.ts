import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {insert} from '#app/text/text-field.ts';
import {saveSnippet} from '#state/actions/snippets.ts';
import {fuzzyMatch} from '#std/fuzzy.ts';
import {printableLine} from '#std/printable.ts';
import {changeMessageText} from './change-composer.ts';

const saveKey = 'save';

/** Opens a picker of saved snippets; the last row saves the current text as one. */
export function openSnippetPicker(app: App): void {
  openPicker(app, {
    id: 'snippets',
    title: 'Snippets',
    placeholder: 'title',
    hint: 'Enter inserts it',
    rows: snippetRows,
    accept: (from, {key}) => {
      from.closeOverlay();
      if (key === saveKey) {
        askTitle(from);
        return;
      }
      const snippet = from.state.snippets.get(Number(key));
      if (snippet !== undefined) changeMessageText(from, (field) => insert(field, snippet.content));
    },
  });
}

function snippetRows({account, screen}: Frame, query: string): readonly PickerRow[] {
  const matches = [...account.snippets.values()].flatMap(({id, title, content}) => {
    const match = fuzzyMatch(query, title);
    if (match === undefined) return [];
    const row = {key: String(id), label: title, detail: printableLine(content), matched: match.ranges};
    return [{row, score: match.score}];
  });
  matches.sort((a, b) => b.score - a.score || a.row.label.localeCompare(b.row.label));
  const isEmpty = screen.composer.field.text.trim() === '';
  return [
    ...matches.map(({row}) => row),
    {
      key: saveKey,
      label: 'Save the text as a snippet…',
      ...(isEmpty && {disabled: 'Nothing to save yet'}),
    },
  ];
}

function askTitle(app: App): void {
  const content = app.screen.composer.field.text;
  openPicker(app, {
    id: 'snippet-title',
    title: 'Save as',
    placeholder: 'title',
    rows: (_frame, query) => (query.trim() === '' ? [] : [{key: query.trim(), label: `Save as “${query.trim()}”`}]),
    accept: (from, {key}) => {
      from.closeOverlay();
      requestFromServer(from, {
        send: () => saveSnippet(from.session.context, key, content),
        doneText: () => `Saved “${key}”`,
        failureText: 'Not saved',
      });
    },
  });
}
