import type {App} from '#app/core/app.ts';
import {shortFormOf} from '#content/composer-markdown.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {activeField, type PastePrompt} from '#ui/composer/composer-state.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {droppedPaths, fenced, pasteSize, safePastedText} from '#ui/text/paste.ts';
import {insert, insertBlock, moveTo, replaceAll, replaceRange, type TextField} from '#ui/text/text-field.ts';
import {attachPaths, attachText, openFilePathPicker} from './attach-files.ts';
import {changeActiveField, changeMessageText, setComposer} from './change-composer.ts';

/** Types text into the active field. No letter means anything else here, whatever is offered below the text. */
export function typeIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  if (composer.isPreviewed) setComposer(app, {isPreviewed: false});
  const {menu, field: before} = composer;
  // Accepting a channel has written the `>` before its topic: a user who types it, too, means the same one.
  if (text === '>' && menu?.completion.kind === 'topic' && before.text[before.cursor - 1] === '>') return;
  changeActiveField(app, (field) => insert(isAfterName.test(text) ? withClosedChannel(app, field) : field, text));
}

/** What is typed after the name of a channel, and begins no topic. */
const isAfterName = /^[\s.,;:!?)\]}…]/u;

/** Returns the field with the link to a channel closed if the text before the cursor ends with the `>` before its topic. */
export function withClosedChannel({state}: App, field: TextField): TextField {
  const [open, name = ''] = /#\*\*([^*>\n]+)>$/u.exec(field.text.slice(0, field.cursor)) ?? [];
  if (open === undefined || channelNamed(state, name) === undefined) return field;
  return replaceRange(field, field.cursor - 1, field.cursor, '**');
}

export function acceptPastePrompt(app: App, prompt: PastePrompt): void {
  const end = prompt.start + prompt.text.length;
  const block = prompt.kind === 'paste' ? fenced(prompt.text) : '';
  const short = prompt.kind === 'url' ? prompt.short : '';
  changeMessageText(app, (field) => {
    const replaced = replaceRange(field, prompt.start, end, short);
    const {text, cursor} = block === '' ? replaced : insertBlock(replaced, block);
    // One step, so that one undo brings the paste back.
    return moveTo(replaceAll(field, text), cursor);
  });
  if (prompt.kind === 'files') attachPaths(app, prompt.paths);
}

/** Attaches the text just pasted as a file, or else asks for a file. */
export function attachPasteOrFile(app: App): void {
  const {pastePrompt} = app.screen.composer;
  if (pastePrompt?.kind !== 'paste') {
    openFilePathPicker(app);
    return;
  }
  const {start, text} = pastePrompt;
  changeMessageText(app, (field) => replaceRange(field, start, start + text.length, ''));
  attachText(app, text);
}

/**
 * Inserts pasted text; a paste never sends. A large paste, file paths, or a URL that a linkifier shortens also open a prompt
 * about the inserted text.
 */
export function pasteIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  const pasted = safePastedText(text);
  if (composer.activePart === 'to' || composer.activePart === 'topic') {
    changeActiveField(app, (field) => insert(field, pasted.replaceAll(/\s+/g, ' ')));
    return;
  }
  const start = composer.field.cursor;
  changeActiveField(app, (field) => insert(field, pasted), 'placed');
  const {lines, isLarge} = pasteSize(pasted);
  const inserted = activeField(app.screen.composer).text.slice(start, start + pasted.length);
  if (inserted !== pasted) return;
  if (isLarge) showPastePrompt(app, {kind: 'paste', start, text: pasted, lines});
  const paths = droppedPaths(pasted, (path) => isFile(app.device, path));
  if (paths !== undefined) showPastePrompt(app, {kind: 'files', start, text: pasted, paths});
  const short = shortFormOf(pasted, messageContext(app.state).linkifiers ?? []);
  if (short !== undefined) showPastePrompt(app, {kind: 'url', start, text: pasted, short});
}

function showPastePrompt(app: App, prompt: PastePrompt): void {
  setComposer(app, {pastePrompt: prompt});
}

function isFile(device: App['device'], path: string): boolean {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  try {
    return device.listFiles(path.slice(0, at) || '/').some((file) => file.name === name && !file.isDirectory);
  } catch {
    return false;
  }
}

/** Closes the paste prompt and keeps the text. Returns false when no prompt is open. */
export function dismissPastePrompt(app: App): boolean {
  const {composer} = app.screen;
  if (composer.pastePrompt === undefined) return false;
  setComposer(app, {pastePrompt: undefined});
  return true;
}
