import {ApiError, badRequest} from '#server/http/errors.ts';
import {parseJson} from '#std/parse-json.ts';
import type {Webhook} from './webhook.ts';

/** Shows any JSON object as code. */
export const jsonWebhook: Webhook = {
  name: 'JSON',
  message: ({bodyText}) => ({topic: 'JSON', content: `\`\`\`json\n${indented(bodyText)}\n\`\`\``}),
};

function indented(text: string): string {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new ApiError('INVALID_JSON', 'Malformed JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badRequest('payload is not a dict');
  return JSON.stringify(value, null, 2);
}
