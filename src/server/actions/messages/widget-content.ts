import {badRequest} from '#server/http/errors.ts';
import {dictMismatchText} from '#server/http/param-decoder.ts';
import {spacedJson} from '#server/views/spaced-json.ts';
import {parseJson} from '#std/parse-json.ts';
import {decode, object, s} from '#wire/schema.ts';

const text = s.string();
const choice = object({short_name: text, long_name: text, reply: text});
const choices = object({type: s.literal('choices'), heading: text, choices: s.array(choice)});

/**
 * Returns the submessage for `widget_content`, with which a bot offers choices to click. Polls and to-do lists are made
 * by the text of a message only.
 */
export function checkedWidgetContent(source: string): string {
  const content = parsed(source);
  if (!isRecord(content)) throw invalid('widget_content is not a dict');
  for (const name of ['widget_type', 'extra_data']) {
    if (!Object.hasOwn(content, name)) throw invalid(`${name} is not in widget_content`);
  }
  const {widget_type, extra_data} = content;
  if (!isRecord(extra_data)) throw invalid('extra_data is not a dict');
  if (widget_type !== 'zform') throw invalid(`unknown widget type: ${String(widget_type)}`);
  if (!Object.hasOwn(extra_data, 'type')) throw invalid('zform is missing type field');
  if (extra_data.type !== 'choices') throw invalid(`unknown zform type: ${String(extra_data.type)}`);
  const decoded = decode(choices, extra_data);
  if (!decoded.ok) throw invalid(dictMismatchText('extra_data', decoded.mismatch));
  return spacedJson(content);
}

function parsed(source: string): unknown {
  try {
    return parseJson(source);
  } catch {
    throw invalid('API programmer sent invalid JSON content');
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(problem: string) {
  return badRequest(`Widgets: ${problem}`);
}
