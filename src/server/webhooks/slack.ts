import {missingParam} from '#server/http/errors.ts';
import {ownValue} from '#std/own-value.ts';
import {Payload, type Webhook, type WebhookRequest} from './webhook.ts';

/** Messages in the format of Slack's incoming webhooks: a text, blocks or attachments. */
export const slackWebhook: Webhook = {
  name: 'SlackIncoming',
  message(request) {
    const payload = Payload.parse(this.name, payloadText(request));
    const topic = payload.optionalText('channel')?.replace(/^[@#]/, '') ?? '(no topic)';
    const parts = [...payload.list('blocks').map(blockText), ...payload.list('attachments').map(attachmentText)];
    const content = paragraphs(parts) || plainText(payload);
    return content === '' ? undefined : {topic, content: withZulipFormatting(content)};
  },
};

/** Slack takes JSON as the body or as the field `payload` of a form. */
function payloadText({headers, bodyText, payloadField}: WebhookRequest): string {
  if (/^application\/json\b/.test(String(headers['content-type']))) return bodyText;
  if (payloadField === undefined) throw missingParam('payload');
  return payloadField;
}

function plainText(payload: Payload): string {
  if (!payload.has('text')) return '';
  return `${payload.optionalText('icon_emoji') ?? ''} ${payload.text('text')}`.trim();
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
