import * as banners from '#ui/banner/banner-lines.ts';
import {completionMenuLines, completionMenuRect} from '#ui/completion-menu/completion-menu-lines.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {formContent} from '#ui/forms/form-layout.ts';
import {headerContent} from '#ui/header/header-content.ts';
import {headerLine} from '#ui/header/header-line.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {listLines, shownList} from '#ui/lists/list-lines.ts';
import * as messagePane from '#ui/message-pane/message-pane-lines.ts';
import {cardContent} from '#ui/overlays/cards.ts';
import {textBoxLines} from '#ui/overlays/overlay-box.ts';
import {pickerContent, pickerLines} from '#ui/overlays/picker-lines.ts';
import * as keys from '#ui/status-line/key-lines.ts';
import {statusContent, statusLine} from '#ui/status-line/status-line.ts';
import * as toasts from '#ui/status-line/toast-panel.ts';

/** The lines of parts of the screen, as their components make them. */
export type PartLines = (frame: Frame, rect: Rect) => readonly PaneLine[];

export const headerLines: PartLines = (frame) => [
  headerLine(headerContent(frame), frame.screen.size.columns, frame.display),
];

export const statusLines: PartLines = (frame) => [
  statusLine(statusContent(frame), frame.screen.size.columns, frame.display),
];

export const bannerLines: PartLines = (frame, rect) => {
  const banner = banners.bannerContent(frame);
  return banner === undefined ? [] : banners.bannerLines(banner, rect, frame.display);
};

/** A part that decides itself where it is. */
export interface PlacedLines {
  readonly rect: Rect;
  readonly lines: readonly PaneLine[];
}

export function keyPanel(frame: Frame): PlacedLines | undefined {
  const shown = keys.keyContinuations(frame);
  return shown && {rect: shown.rect, lines: keys.keyLines(shown, frame.display)};
}

export function completionMenu(frame: Frame): PlacedLines | undefined {
  const rect = completionMenuRect(frame);
  const {menu} = frame.screen.composer;
  return rect && menu && {rect, lines: completionMenuLines(menu, rect, frame.display)};
}

export function overlayPart(frame: Frame): PlacedLines | undefined {
  const picker = pickerContent(frame);
  if (picker !== undefined) return {rect: picker.layout.rect, lines: pickerLines(picker, frame.display)};
  const box = cardContent(frame) ?? formContent(frame);
  return box && {rect: box.layout.rect, lines: textBoxLines(box, frame.display)};
}

/** Returns the lines of the top overlay; none when there is none. */
export function overlayLines(frame: Frame): readonly PaneLine[] {
  return overlayPart(frame)?.lines ?? [];
}

export function toastPanel(frame: Frame): PlacedLines | undefined {
  const toast = toasts.longToast(frame);
  return toast && toasts.toastPanel(toast, frame.display);
}

export function listPane(id: ListId): PartLines {
  return (frame, rect) => listLines(shownList(frame, id, rect));
}

export function messagePaneLines(frame: Frame, rect: Rect): readonly PaneLine[] {
  return messagePane.messagePaneLines(messagePane.mainTimeline(frame, rect), messagePane.paneNotice(frame, rect), rect);
}
