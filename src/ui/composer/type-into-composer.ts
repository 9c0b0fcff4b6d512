import {shortFormOf} from '#content/composer-markdown.ts';
import type {App} from '#ui/core/app.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {droppedPaths, fenced, pasteSize, safePastedText} from '#ui/text/paste.ts';
import {insert, insertBlock, replaceRange} from '#ui/text/text-field.ts';
import {applyWarningFix} from './apply-warning-fix.ts';
import {attachPaths, attachText} from './attach-files.ts';
import {changeActiveField, changeMessageText, setComposer} from './change-composer.ts';
import {activeField, type PastePrompt} from './composer-state.ts';

/** Types one character into the active field, or answers an open prompt with it. */
export function typeIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  if (composer.pastePrompt !== undefined && answerPrompt(app, composer.pastePrompt, text)) return;
  if (composer.warnings.length > 0 && applyWarningFix(app, text)) return;
  if (composer.isPreviewed) setComposer(app, {...composer, isPreviewed: false});
  changeActiveField(app, (field) => insert(field, text));
}

function answerPrompt(app: App, prompt: PastePrompt, key: string): boolean {
  const end = prompt.start + prompt.text.length;
  const isThere = app.screen.composer.field.text.slice(prompt.start, end) === prompt.text;
  if (!isThere) return false;
  if (prompt.kind === 'url') {
    if (key !== 'y') return false;
    changeMessageText(app, (field) => replaceRange(field, prompt.start, end, prompt.short));
    return true;
  }
  if (prompt.kind === 'files') {
    if (key !== 'y') return false;
    changeMessageText(app, (field) => replaceRange(field, prompt.start, end, ''));
    attachPaths(app, prompt.paths);
    return true;
  }
  if (key === 'f') {
    changeMessageText(app, (field) => insertBlock(replaceRange(field, prompt.start, end, ''), fenced(prompt.text)));
    return true;
  }
  if (key !== 'a') return false;
  changeMessageText(app, (field) => replaceRange(field, prompt.start, end, ''));
  attachText(app, prompt.text);
  return true;
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
  setComposer(app, {...app.screen.composer, pastePrompt: prompt});
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
  setComposer(app, {...composer, pastePrompt: undefined});
  return true;
}
