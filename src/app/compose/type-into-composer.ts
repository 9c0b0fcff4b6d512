import type {App} from '#app/core/app.ts';
import {messageContext} from '#app/format/message-context.ts';
import {droppedPaths, fenced, pasteSize, safePastedText} from '#app/text/paste.ts';
import {insert, insertBlock, replaceRange} from '#app/text/text-field.ts';
import {pastedMarkdown} from '#content/composer-markdown.ts';
import {applyWarningFix} from './apply-warning-fix.ts';
import {attachPaths, attachText} from './attach-files.ts';
import {changeActiveField, changeMessageText, setComposer} from './change-composer.ts';
import {activeField, type PastePrompt} from './composer-state.ts';

/** One character, wherever it goes now. A question that is open may be answered with it. */
export function typeIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  if (composer.pastePrompt !== undefined && wasAnsweredBy(app, composer.pastePrompt, text)) return;
  if (composer.warnings.length > 0 && applyWarningFix(app, text)) return;
  if (composer.isPreviewed) setComposer(app, {...composer, isPreviewed: false});
  changeActiveField(app, (field) => insert(field, text));
}

function wasAnsweredBy(app: App, offer: PastePrompt, key: string): boolean {
  const end = offer.start + offer.text.length;
  const isThere = app.screen.composer.field.text.slice(offer.start, end) === offer.text;
  if (!isThere) return false;
  if (offer.kind === 'files') {
    if (key !== 'y') return false;
    changeMessageText(app, (field) => replaceRange(field, offer.start, end, ''));
    attachPaths(app, offer.paths);
    return true;
  }
  if (key === 'f') {
    changeMessageText(app, (field) =>
      insertBlock(replaceRange(field, offer.start, end, ''), fenced(offer.text)),
    );
    return true;
  }
  if (key !== 'a') return false;
  changeMessageText(app, (field) => replaceRange(field, offer.start, end, ''));
  attachText(app, offer.text);
  return true;
}

/** Pastes never send. What is large, or names files, is asked about; it is there meanwhile. */
export function pasteIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  const pasted = safePastedText(text);
  if (composer.activePart === 'to' || composer.activePart === 'topic') {
    changeActiveField(app, (field) => insert(field, pasted.replaceAll(/\s+/g, ' ')));
    return;
  }
  const put = pastedMarkdown(pasted, messageContext(app.state).linkifiers ?? []);
  const start = composer.field.cursor;
  changeActiveField(app, (field) => insert(field, put), 'placed');
  const {lines, isLarge} = pasteSize(put);
  const inserted = activeField(app.screen.composer).text.slice(start, start + put.length);
  if (inserted !== put) return;
  if (isLarge) showPastePrompt(app, {kind: 'paste', start, text: put, lines});
  const paths = droppedPaths(put, (path) => isFile(app.device, path));
  if (paths !== undefined) showPastePrompt(app, {kind: 'files', start, text: put, paths});
}

function showPastePrompt(app: App, offer: PastePrompt): void {
  setComposer(app, {...app.screen.composer, pastePrompt: offer});
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

/** Answers the open question with keeping what is there; false when none is open. */
export function dismissPastePrompt(app: App): boolean {
  const {composer} = app.screen;
  if (composer.pastePrompt === undefined) return false;
  setComposer(app, {...composer, pastePrompt: undefined});
  return true;
}
