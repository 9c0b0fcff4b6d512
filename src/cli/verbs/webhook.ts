import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {PlainFailure, UsageError} from '#cli/io.ts';
import {readStdin} from '#cli/messages/local-files.ts';
import {fillTemplate} from '#server/webhooks/template.ts';
import {errorText} from '#std/error-text.ts';
import {parseJson} from '#std/parse-json.ts';
import type {VerbRunner} from './verb-table.ts';

const maxBytes = 1024 * 1024;

/** Adds templates to the address of a webhook, so that it understands JSON of any form, and tries them with a body. */
export const webhook: VerbRunner<'webhook'> = async ({values, words: [address = '']}, io) => {
  const {topic, content} = values;
  if (content === undefined) throw new UsageError('Give the template of the message with --content TEMPLATE.');
  if (!URL.canParse(address)) throw new UsageError(`“${address}” is not the address of a webhook.`);
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/external\/\w+$/, '/external/json');
  if (!url.pathname.endsWith('/external/json')) throw new UsageError(`“${address}” is not the address of a webhook.`);
  url.searchParams.set('content_template', content);
  if (topic !== undefined) url.searchParams.set('topic_template', topic);
  const body: unknown =
    values.try === undefined
      ? {}
      : parsed(values.try === '-' ? await readStdin(io, maxBytes) : textOf(resolve(io.cwd, values.try)));
  try {
    const made = {topic: fillTemplate(topic ?? 'JSON', body).trim(), content: fillTemplate(content, body).trim()};
    if (values.try === undefined) return {json: {url: url.href}, text: url.href};
    return {json: {url: url.href, ...made}, text: [made.topic, made.content].join('\n\n')};
  } catch (error) {
    throw new UsageError(errorText(error));
  }
};

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new PlainFailure(`The body cannot be read: ${errorText(error)}.`);
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new PlainFailure('The body is not JSON.');
  }
}
