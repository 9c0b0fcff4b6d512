import {renderMessage} from '#content/render/render-message.ts';
import {userName} from '#state/selectors/names/names.ts';
import type {Frame} from '#ui/core/frame.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {renderOptionsOf} from '#ui/format/render-options.ts';
import {fittedLine, type UiLine} from '#ui/layout/ui-line.ts';
import {nameContext} from '#ui/warnings/name-context.ts';

/** Renders the message as its readers will see it. */
export function composerPreviewLines(frame: Frame, columns: number): readonly UiLine[] {
  const {account, screen} = frame;
  const {text} = screen.composer.field;
  if (text.trim() === '') return [fittedLine([{text: 'Nothing to preview yet.', role: 'placeholder'}], columns)];
  const {userId} = account.self;
  const translateEmoticons = account.settings.translateEmoticons === true;
  const {lines} = renderMessage(
    {
      source: text,
      senderId: userId,
      senderName: userName(account, userId),
      isUnsent: screen.composer.editing === undefined,
    },
    // The server resolves names as they are now.
    {...messageContext(account), ...nameContext(account), followsRenames: false, translateEmoticons},
    {...renderOptionsOf(frame, columns), expanded: true},
  );
  return lines;
}
