import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {openImageViewer} from '#app/images/image-viewer.ts';
import {filesOf, type LinkChoice, linksOf} from '#app/links/message-links.ts';
import {linkAddress, openFile, openLinkChoice, saveFile} from '#app/links/open-link.ts';
import {openPicker} from '#app/overlays/picker.ts';
import type {Message} from '#state/model/message.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {PickerRow} from '#ui/core/overlay.ts';

/** Returns why the message has no links to open; undefined when it has some. */
export function linkProblem(app: AppReader, message: Message): string | undefined {
  return linksFor(app, message).length === 0 ? 'This message has no links.' : undefined;
}

function linksFor(app: AppReader, message: Message): readonly LinkChoice[] {
  return linksOf(app.state, message, app.screen.expandedMessageIds.has(message.id));
}

/** Opens a picker of the message's links. Typing a link's number opens it as soon as the number is unambiguous. */
export function openLinkPicker(app: App, message: Message): void {
  openLinkList(app, linksFor(app, message), 'Links in this message');
}

export function openLinkList(app: App, links: readonly LinkChoice[], title: string): void {
  openPicker(app, {
    id: 'links',
    title,
    placeholder: 'number or text',
    hint: {Enter: 'opens', Tab: 'copies'},
    empty: 'No matching links',
    rows: (_frame, query) => rowsFor(links, query),
    accept: (from, {key}, how) => {
      const link = links.find(({number}) => String(number) === key);
      if (link === undefined) return;
      from.closeOverlay();
      if (how === 'tab') copyLink(from, link);
      else openLinkChoice(from, link);
    },
    onQuery: (from, query) => {
      const matches = numbered(links, query);
      const [only] = matches;
      if (only === undefined || matches.length > 1) return;
      from.closeOverlay();
      openLinkChoice(from, only);
    },
  });
}

function copyLink(app: App, link: LinkChoice): void {
  const address = linkAddress(app, link);
  copyText(app, address, address);
}

/** Returns the links whose number starts with the query. */
function numbered(links: readonly LinkChoice[], query: string): readonly LinkChoice[] {
  const digits = query.trim();
  return /^\d+$/.test(digits) ? links.filter(({number}) => String(number).startsWith(digits)) : [];
}

function rowsFor(links: readonly LinkChoice[], query: string): readonly PickerRow[] {
  const text = query.trim();
  if (text === '' || /^\d+$/.test(text)) {
    return (text === '' ? links : numbered(links, text)).map((link) => rowOf(link));
  }
  return links.flatMap((link) => {
    const match = fuzzyMatch(text, link.text);
    if (match !== undefined && match.score >= matchScores.inside) return [rowOf(link, match.ranges)];
    const isInAddress = 'url' in link.target && link.target.url.toLowerCase().includes(text.toLowerCase());
    return isInAddress ? [rowOf(link)] : [];
  });
}

function rowOf({number, text, target}: LinkChoice, ranges: PickerRow['matched'] = []): PickerRow {
  const start = `${`[${number}]`.padEnd(5)}`;
  const label = `${start}${target.kind === 'person' ? `@${text}` : text}`;
  const shift = start.length + (target.kind === 'person' ? 1 : 0);
  return {
    key: String(number),
    label,
    matched: ranges.map(([from, to]) => [from + shift, to + shift] as const),
    detail: detailOf(text, target),
  };
}

function detailOf(text: string, target: LinkChoice['target']): string | undefined {
  switch (target.kind) {
    case 'web':
      return target.url === text || target.url.endsWith(`://${text}`) ? undefined : target.url;
    case 'file':
      return target.fileKind;
    default:
      return undefined;
  }
}

/** Returns why the message has no files to open; undefined when it has some. */
export function fileProblem(app: AppReader, message: Message): string | undefined {
  return filesOf(app.state, message).length === 0 ? 'This message has no files.' : undefined;
}

/** Shows the message's images; opens a picker where it has other files, to open or save them. */
export function openFilePicker(app: App, message: Message): void {
  const files = filesOf(app.state, message);
  const [first] = files;
  if (first !== undefined && files.every(({kind}) => kind === 'image')) {
    openImageViewer(app, message, first);
    return;
  }
  openPicker(app, {
    id: 'files',
    title: files.length === 1 ? 'File in this message' : 'Files in this message',
    isMenu: true,
    hint: app.device.isRemote ? {'Enter or Tab': 'saves'} : {Enter: 'opens', Tab: 'saves'},
    rows: () => files.map(({name, kind}, at) => ({key: String(at), label: name, detail: kind, right: String(at + 1)})),
    accept: (from, {key}, how) => {
      const file = files[Number(key)];
      if (file === undefined) return;
      from.closeOverlay();
      if (how === 'tab') saveFile(from, file);
      else if (file.kind === 'image') openImageViewer(from, message, file);
      else openFile(from, file);
    },
  });
}
