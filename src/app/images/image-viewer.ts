import type {App} from '#app/core/app.ts';
import {type AttachedFile, filesOf} from '#app/links/message-links.ts';
import {openFile, saveFile} from '#app/links/open-link.ts';
import {openCard, replaceCard} from '#app/overlays/cards.ts';
import {fileChipName, fileName, imageDetail, uploadPath} from '#content/file-chip.ts';
import type {ImageFacts} from '#content/message-facts.ts';
import type {ImageRow} from '#content/styled-text/line.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import {ownValue} from '#std/own-value.ts';
import {fitCells, type PixelSize} from '#terminal/images/fit-image.ts';
import type {Key} from '#terminal/input/key.ts';
import type {Frame, ImageDisplay, PaneLine} from '#ui/core/frame.ts';
import type {Card} from '#ui/core/overlay.ts';
import {blankLine} from '#ui/layout/ui-line.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {paragraph} from '#ui/overlays/card-lines.ts';

/** An image of the messages in the main pane. */
interface ViewedImage {
  readonly message: Message;
  readonly file: AttachedFile;
}

/** Opens an image of a message over the whole screen. */
export function openImageViewer(app: App, message: Message, file: AttachedFile): void {
  openCard(app, viewerCard(app, {message, file}));
}

/** Returns the images of the loaded messages that the main pane shows, the oldest first. */
function imagesOfView({frame}: Pick<App, 'frame'>): readonly ViewedImage[] {
  const {byId} = frame.account.messages;
  return [...(mainTimelineNow(frame)?.rows?.ids ?? [])].flatMap((id) => {
    const message = byId.get(id);
    return message === undefined ? [] : imagesOfMessage(frame, message);
  });
}

function imagesOfMessage({account}: Frame, message: Message): readonly ViewedImage[] {
  // Parsing all loaded messages would take long, and most have no links.
  if (!/user_uploads|\]\(|:\/\//.test(message.content)) return [];
  const files = filesOf(account, message).filter(({kind}) => kind === 'image');
  return files.map((file) => ({message, file}));
}

function viewerCard(app: App, shown: ViewedImage): Card {
  const images = imagesOfView(app);
  const at = images.findIndex(({message, file}) => message.id === shown.message.id && file.url === shown.file.url);
  const {message, file} = shown;
  const facts = imageFacts(shown);
  const name = fileChipName({name: file.name, href: file.url});
  const parts = [
    facts === undefined ? name : `${name}, ${imageDetail(facts, fileName(file.url) ?? name, '×')}`,
    userName(app.state, message.senderId, message.senderName),
    ...(at < 0 ? [] : [`${at + 1} of ${images.length}`]),
  ];
  const card: Card = {
    id: 'image',
    title: parts.join(' · '),
    isFullScreen: true,
    hint: {'[ ]': 'previous, next', s: 'saves', o: 'opens outside', Esc: 'closes'},
    lines: (frame, width) => viewerLines(frame, width, {...file, url: loadedAddress(shown)}, facts),
    onKey: (from, key) => {
      const step = steps.get(key.name);
      if (key.ctrl === true || key.alt === true) return false;
      if (step !== undefined) showNext(from, card, images[Math.max(0, at) + step], step);
      else if (key.name === 's') saveFile(from, file);
      else if (key.name === 'o') openFile(from, file);
      return step !== undefined || key.name === 's' || key.name === 'o';
    },
  };
  return card;
}

const steps: ReadonlyMap<Key['name'], 1 | -1> = new Map([
  ...[']', 'Right', 'j', 'Down', 'Space', 'PageDown'].map((name) => [name, 1] as const),
  ...['[', 'Left', 'k', 'Up', 'PageUp'].map((name) => [name, -1] as const),
]);

function showNext(app: App, card: Card, next: ViewedImage | undefined, step: 1 | -1): void {
  if (next === undefined) app.toast(step > 0 ? 'This is the last loaded image' : 'This is the first loaded image');
  else replaceCard(app, card, viewerCard(app, next));
}

function imageFacts({message, file}: ViewedImage): ImageFacts | undefined {
  const path = uploadPath(file.url);
  return path === undefined ? undefined : ownValue(message.facts?.images, path);
}

/** Returns where the image is loaded from: one of another site comes through the server's proxy. */
function loadedAddress({message, file}: ViewedImage): string {
  return ownValue(message.facts?.proxies, file.url) ?? file.url;
}

/** The rows of the border above and below. */
const borderRows = 2;

/** Returns the image in the middle of the screen. */
function viewerLines(
  {display, screen}: Frame,
  width: number,
  file: AttachedFile,
  facts: ImageFacts | undefined,
): readonly PaneLine[] {
  const {images} = display;
  if (images === undefined) return paragraph(noImagesText, 'text', width);
  const room = {columns: width, rows: Math.max(1, screen.size.rows - borderRows)};
  // The size that is not known is that of the room: the image is fitted into it when it arrives.
  const box = facts === undefined ? room : fitCells(facts, room, smallestCell(images));
  const image = {...(facts ?? pixelSize(room, images)), ...box, href: uploadPath(file.url) ?? file.url, room: width};
  return [
    ...new Array<PaneLine>(Math.floor((room.rows - box.rows) / 2)).fill(blankLine),
    ...Array.from({length: box.rows}, (_, row) => imageLine({...image, row}, Math.floor((width - box.columns) / 2))),
  ];
}

/** A half block has far less pixels than its cell: on the whole screen, the image is as large as its own pixels allow. */
function smallestCell({protocol, cell}: ImageDisplay): PixelSize {
  return protocol === 'half-blocks' ? {width: (2 * cell.width) / cell.height, height: 2} : cell;
}

const noImagesText =
  'This terminal shows no images, or the setting “images” is “off”: parley doctor says why. s saves the image, o opens it outside of the terminal.';

function pixelSize({columns, rows}: {columns: number; rows: number}, {cell}: ImageDisplay) {
  return {width: columns * cell.width, height: rows * cell.height};
}

function imageLine(image: ImageRow, margin: number): PaneLine {
  return {
    spans: [
      {text: ' '.repeat(margin), role: 'text'},
      {text: ' '.repeat(image.columns), role: 'text', image},
    ],
    width: margin + image.columns,
  };
}
