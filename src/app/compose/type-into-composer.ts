import type {App} from '#app/core/app.ts';
import {messageContext} from '#app/format/message-context.ts';
import {droppedPaths, fenced, pasteShape, pasteText} from '#app/text/paste.ts';
import {insert, insertBlock, replaceRange} from '#app/text/text-field.ts';
import {pastedText} from '#content/pieces/pasted-text.ts';
import {takeOffer} from './apply-warning-fix.ts';
import {attachPaths, attachText} from './attach-files.ts';
import {changeActive, changeText, setComposer} from './change-composer.ts';
import {activeField, type ComposerOffer} from './composer-state.ts';

/** One character, wherever it goes now. A question that is open may be answered with it. */
export function typeIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  if (composer.offer !== undefined && isAnswered(app, composer.offer, text)) return;
  if (composer.warnings.length > 0 && takeOffer(app, text)) return;
  if (composer.isPreviewed) setComposer(app, {...composer, isPreviewed: false});
  changeActive(app, (field) => insert(field, text));
}

function isAnswered(app: App, offer: ComposerOffer, key: string): boolean {
  const end = offer.start + offer.text.length;
  const isThere = app.screen.composer.field.text.slice(offer.start, end) === offer.text;
  if (!isThere) return false;
  if (offer.kind === 'files') {
    if (key !== 'y') return false;
    changeText(app, (field) => replaceRange(field, offer.start, end, ''));
    attachPaths(app, offer.paths);
    return true;
  }
  if (key === 'f') {
    changeText(app, (field) => insertBlock(replaceRange(field, offer.start, end, ''), fenced(offer.text)));
    return true;
  }
  if (key !== 'a') return false;
  changeText(app, (field) => replaceRange(field, offer.start, end, ''));
  attachText(app, offer.text);
  return true;
}

/** Pastes never send. What is large, or names files, is asked about; it is there meanwhile. */
export function pasteIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  const pasted = pasteText(text);
  if (composer.place === 'to' || composer.place === 'topic') {
    changeActive(app, (field) => insert(field, pasted.replaceAll(/\s+/g, ' ')));
    return;
  }
  const put = pastedText(pasted, messageContext(app.state).linkifiers ?? []);
  const start = composer.field.cursor;
  changeActive(app, (field) => insert(field, put), 'placed');
  const {lines, isLarge} = pasteShape(put);
  const inserted = activeField(app.screen.composer).text.slice(start, start + put.length);
  if (inserted !== put) return;
  if (isLarge) ask(app, {kind: 'paste', start, text: put, lines});
  const paths = droppedPaths(put, (path) => isFile(app.device, path));
  if (paths !== undefined) ask(app, {kind: 'files', start, text: put, paths});
}

function ask(app: App, offer: ComposerOffer): void {
  setComposer(app, {...app.screen.composer, offer});
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
export function dropOffer(app: App): boolean {
  const {composer} = app.screen;
  if (composer.offer === undefined) return false;
  setComposer(app, {...composer, offer: undefined});
  return true;
}
