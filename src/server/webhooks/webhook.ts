import type {RequestContext} from '#server/context.ts';
import {ApiError, check, missingParam} from '#server/errors.ts';
import {ownValue} from '#std/own-value.ts';
import {isRecord, parseJson} from '#std/parse-json.ts';
import type {ServiceTemplate} from './services.ts';
import {fillTemplate} from './template.ts';

/** A request of another service, whose key belongs to `call.actor`. */
interface WebhookRequest {
  readonly call: RequestContext;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bodyText: string;
  /** The `payload` field of a form. */
  readonly payloadField: string | undefined;
  /** The topic that the URL asks for. */
  readonly topic: string | undefined;
  /** The names of branches that the URL asks for, separated by commas. */
  readonly branches: string | undefined;
  readonly ignorePrivateRepositories: boolean;
  /** Templates in the URL, for JSON of any form. */
  readonly templates: {readonly topic: string | undefined; readonly content: string | undefined};
}

export interface WebhookMessage {
  /** The topic if the URL does not have one. */
  readonly topic: string;
  readonly content: string;
  /** The kind of event, which the URL may ask for or exclude. */
  readonly event?: string;
}

/** A service that sends messages by webhook. */
export interface Webhook {
  /** The service's name in errors and in the name of the sending client. */
  readonly name: string;
  /** Returns undefined for a request that causes no message. */
  message(request: WebhookRequest): WebhookMessage | undefined;
}

/** Returns whether a text matches a pattern in which `*` stands for any characters and `?` for one. */
export function matchesPattern(pattern: string, text: string): boolean {
  let [at, position] = [0, 0];
  let star: {readonly at: number; readonly position: number} | undefined;
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = {at, position};
      at++;
    } else if (pattern[at] === '?' || pattern[at] === text[position]) {
      at++;
      position++;
    } else if (star !== undefined) {
      // The last star takes one more character; earlier ones never need to.
      star = {at: star.at, position: star.position + 1};
      at = star.at + 1;
      position = star.position;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}

/** Shows any JSON object by the templates of the URL, or as code. */
export const jsonWebhook: Webhook = {
  name: 'JSON',
  message({bodyText, templates}) {
    const body = jsonObject(bodyText);
    const topic = templates.topic === undefined ? 'JSON' : fillTemplate(templates.topic, body).trim();
    if (templates.content === undefined)
      return {topic, content: `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``};
    const content = fillTemplate(templates.content, body).trim();
    return content === '' ? undefined : {topic, content};
  },
};

/** Returns the webhook of a service whose messages are made by templates. Events without one cause no message. */
export function templateWebhook({name, event: eventTemplate, topic, contents}: ServiceTemplate): Webhook {
  return {
    name,
    message({bodyText, headers}) {
      const body = {...jsonObject(bodyText), header: headers};
      const event = fillTemplate(eventTemplate, body);
      const template = ownValue(contents, event);
      if (template === undefined && !/^\w+$/.test(event)) {
        throw new ApiError(
          'ANOMALOUS_WEBHOOK_PAYLOAD',
          `Unable to parse request: Did ${name} generate this event?`,
          400,
          {webhook_name: name},
        );
      }
      if (template === undefined) return undefined;
      return {topic: fillTemplate(topic, body).trim(), content: fillTemplate(template, body).trim(), event};
    },
  };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new ApiError('INVALID_JSON', 'Malformed JSON');
  }
  check(isRecord(value), 'payload is not a dict');
  return value;
}

/** Reads JSON that a third party sent. A path is the names of members with dots between them. */
export class Payload {
  readonly #webhook: string;
  readonly #value: unknown;

  constructor(webhook: string, value: unknown) {
    this.#webhook = webhook;
    this.#value = value;
  }

  static parse(webhook: string, text: string): Payload {
    try {
      return new Payload(webhook, parseJson(text));
    } catch {
      throw new ApiError('INVALID_JSON', 'Malformed JSON');
    }
  }

  /** Returns whether there is a value other than null, false, 0 and the empty text. */
  has(path: string): boolean {
    return Boolean(this.#find(path));
  }

  text(path: string): string {
    return this.optionalText(path) ?? this.#fail();
  }

  /** Returns undefined for an absent value and for null. */
  optionalText(path: string): string | undefined {
    const value = this.#find(path);
    return value === undefined || typeof value === 'string' ? value : this.#fail();
  }

  number(path: string): number {
    const value = this.#find(path);
    return Number.isSafeInteger(value) ? Number(value) : this.#fail();
  }

  flag(path: string): boolean {
    const value = this.#find(path);
    return typeof value === 'boolean' ? value : this.#fail();
  }

  list(path: string): Payload[] {
    const value = this.#find(path) ?? [];
    if (!Array.isArray(value)) return this.#fail();
    return value.map((item) => new Payload(this.#webhook, item));
  }

  names(path: string): string[] {
    const value = this.#find(path);
    return isRecord(value) ? Object.keys(value) : [];
  }

  #find(path: string): unknown {
    let value = this.#value;
    if (!isRecord(value)) return this.#fail();
    for (const name of path.split('.')) {
      if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
      value = value[name];
    }
    return value ?? undefined;
  }

  #fail(): never {
    const message = `Unable to parse request: Did ${this.#webhook} generate this event?`;
    throw new ApiError('ANOMALOUS_WEBHOOK_PAYLOAD', message, 400, {webhook_name: this.#webhook});
  }
}

/** Messages in the format of Slack's incoming webhooks: a text, blocks or attachments. */
export const slackWebhook: Webhook = {
  name: 'SlackIncoming',
  message(request) {
    const payload = Payload.parse(this.name, payloadText(request));
    const topic = payload.optionalText('channel')?.replace(/^[@#]/, '') ?? '(no topic)';
    const parts = [...payload.list('blocks').map(blockText), ...payload.list('attachments').map(attachmentText)];
    const icon = payload.optionalText('icon_emoji') ?? '';
    const text = payload.has('text') ? `${icon} ${payload.text('text')}`.trim() : '';
    // Beside blocks, the text is what notifications show; beside attachments, it belongs to the message.
    const content = payload.list('blocks').length > 0 ? paragraphs(parts) || text : paragraphs([text, ...parts]);
    return content === '' ? undefined : {topic, content: withZulipFormatting(content)};
  },
};

/** Slack takes JSON as the body or as the field `payload` of a form. */
function payloadText({headers, bodyText, payloadField}: WebhookRequest): string {
  if (/^application\/json\b/.test(String(headers['content-type']))) return bodyText;
  if (payloadField === undefined) throw missingParam('payload');
  return payloadField;
}

/** The blocks that have a text. Others are for input, which messages do not have. */
const blockTexts: Readonly<Record<string, (block: Payload) => string>> = {
  context: (block) => paragraphs(block.list('elements').map(elementText)),
  divider: () => '----',
  header: (block) => `## ${block.text('text.text')}`,
  image: (block) => imageLink(block, block.optionalText('title.text')),
  section: (block) =>
    paragraphs([
      block.optionalText('text.text') ?? '',
      block.optionalText('accessory.type') === 'image'
        ? `[${block.text('accessory.alt_text')}](${block.text('accessory.image_url')})`
        : '',
      fieldTable(block.list('fields').map((field) => field.text('text'))),
    ]),
};

function blockText(block: Payload): string {
  return ownValue(blockTexts, block.text('type'))?.(block) ?? '';
}

function elementText(element: Payload): string {
  return element.text('type') === 'image' ? imageLink(element) : element.text('text');
}

function imageLink(image: Payload, title = image.text('alt_text')): string {
  return `[${title}](${image.text('image_url')})`;
}

/** Slack shows fields in two columns. */
function fieldTable(fields: readonly string[]): string {
  const [only] = fields;
  if (only === undefined || fields.length === 1) return only ?? '';
  const cells = fields.map((field) => field.replace(/[\n|]/g, ' '));
  const rows = cells.flatMap((left, index) => (index % 2 === 0 ? [`| ${left} | ${cells[index + 1] ?? ''} |`] : []));
  return ['| | |', '|-|-|', ...rows].join('\n');
}

function attachmentText(attachment: Payload): string {
  const text = (name: string) => attachment.optionalText(name) ?? '';
  const title = text('title_link') === '' ? text('title') : `[${text('title')}](${text('title_link')})`;
  return paragraphs([
    text('title') === '' ? '' : `## ${title}`,
    text('pretext'),
    text('text'),
    attachment.list('fields').map(fieldText).filter(Boolean).join('\n'),
    ...attachment.list('blocks').map(blockText),
    text('image_url') === '' ? '' : `[](${text('image_url')})`,
    text('footer'),
    attachment.has('ts') ? `<time:${attachment.number('ts')}>` : '',
  ]);
}

function fieldText(field: Payload): string {
  const title = field.has('title') ? `*${field.text('title')}*` : '';
  return [title, field.optionalText('value') ?? ''].filter(Boolean).join(': ');
}

function paragraphs(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
}

/** Slack writes links as `<url|text>`, bold as `*text*` and emphasis as `_text_`. */
function withZulipFormatting(text: string): string {
  return text
    .replace(/<(\w+:\/\/[^|<>\n]*)\|([^<>\n]*)>/g, '[$2]($1)')
    .trim()
    .replace(/(?<!\w)\*(?!\s)([^*\n]+)(?<!\s)\*(?!\w)/g, '**$1**')
    .replace(/(?<!\w)_(?!\s)([^_\n]+)(?<!\s)_(?!\w)/g, '*$1*');
}
