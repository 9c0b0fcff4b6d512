import {type DefaultTreeAdapterMap, parseFragment} from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

interface VisibleHtml {
  readonly text: string;
  readonly links: readonly {text: string; url: string}[];
}

/**
 * Returns the visible text and the links of a message's HTML. Previews repeat links of the text, except where a preview
 * replaces them; the content of spoilers is hidden; formulas are those of the MathML.
 */
export function visibleHtml(html: string): VisibleHtml {
  const root = parseFragment(html);
  const visibleText = textOf(root);
  const links: {text: string; url: string}[] = [];
  collect(root, links);
  const previews = links.length > 0 ? [] : previewLinks(root);
  return {
    text: previews.map(({url}) => url).join(' ') + visibleText,
    links: [...links, ...previews],
  };
}

function textOf(node: Node): string {
  if (node.nodeName === '#text') return 'value' in node ? node.value : '';
  if (!('childNodes' in node)) return '';
  const children = node.childNodes.map(textOf).join('');
  if (!('attrs' in node)) return children;
  return elementText(node, children);
}

function elementText(element: Element, children: string): string {
  const classes = (attribute(element, 'class') ?? '').split(' ');
  if (classes.some((name) => hidden.has(name)) || element.tagName === 'annotation') return '';
  const emoji = classes.find((name) => /^emoji-[0-9a-f-]+$/.test(name));
  if (emoji !== undefined) {
    return String.fromCodePoint(
      ...emoji
        .slice('emoji-'.length)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16)),
    );
  }
  if (classes.includes('spoiler-header') && children.trim() === '') return ' Spoiler ';
  if (element.tagName === 'img') return attribute(element, 'alt') ?? '';
  return blocks.has(element.tagName) ? ` ${children} ` : children;
}

const hidden = new Set([
  'message_inline_image',
  'youtube-video',
  'message_inline_video',
  'spoiler-content',
  'katex-html',
]);
const blocks = new Set([
  'p',
  'br',
  'li',
  'ul',
  'ol',
  'blockquote',
  'div',
  'pre',
  'td',
  'th',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
]);

function collect(node: Node, links: {text: string; url: string}[]): void {
  if (!('childNodes' in node)) return;
  for (const child of node.childNodes) {
    if (!('attrs' in child)) continue;
    const classes = (attribute(child, 'class') ?? '').split(' ');
    if (classes.some((name) => hidden.has(name))) continue;
    if (child.tagName === 'a') links.push({text: textOf(child), url: attribute(child, 'href') ?? ''});
    else collect(child, links);
  }
}

function previewLinks(node: Node): {text: string; url: string}[] {
  if (!('childNodes' in node)) return [];
  return node.childNodes.flatMap((child) => {
    if (!('attrs' in child)) return [];
    if (child.tagName !== 'a') return previewLinks(child);
    const url = attribute(child, 'href') ?? '';
    return [{text: url, url}];
  });
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((given) => given.name === name)?.value;
}
