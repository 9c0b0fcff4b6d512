import type {Frame} from '#app/core/frame.ts';
import {messageContext} from '#app/format/message-context.ts';
import {fittedLine, type UiLine} from '#app/layout/ui-line.ts';
import {asciiGlyphs, unicodeGlyphs} from '#content/render/glyphs.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {userName} from '#state/selectors/names/names.ts';

/** The message as it will be read. */
export function composerPreviewLines(
  {account, screen, display: looks, minute}: Frame,
  columns: number,
): readonly UiLine[] {
  const {text} = screen.composer.field;
  if (text.trim() === '')
    return [fittedLine([{text: 'Nothing to preview yet.', role: 'placeholder'}], columns)];
  const {userId} = account.self;
  const {lines} = renderMessage(
    {source: text, senderId: userId, senderName: userName(account, userId)},
    messageContext(account),
    {
      width: Math.max(1, columns),
      glyphs: looks.glyphs === 'ascii' ? asciiGlyphs : unicodeGlyphs,
      emoji: looks.emoji,
      zone: looks.zone,
      now: minute,
      expanded: true,
    },
  );
  return lines;
}
