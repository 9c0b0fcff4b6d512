import {type DefaultTreeAdapterTypes, parseFragment} from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

const blocks = new Set('p div ul ol li blockquote table thead tbody tr th td h1 h2 h3 h4 h5 h6 hr br pre'.split(' '));

/** Returns one text for all HTML with the same tree, whatever the order of attributes and the space between blocks. */
export function canonicalHtml(html: string): string {
  return childrenText(parseFragment(html).childNodes, false);
}

function childrenText(nodes: readonly Node[], verbatim: boolean): string {
  return nodes.map((node, i) => nodeText(node, verbatim, nodes[i - 1], nodes[i + 1])).join('');
}

function nodeText(node: Node, verbatim: boolean, before: Node | undefined, after: Node | undefined): string {
  if (node.nodeName === '#text' && 'value' in node) {
    if (verbatim) return text(node.value);
    let value = node.value;
    if (before === undefined || isBlock(before)) value = value.replace(/^\n+/, '');
    if (after === undefined || isBlock(after)) value = value.replace(/\n+$/, '');
    return text(value);
  }
  if (!('attrs' in node)) return '';
  const attributes = node.attrs.map(({name, value}) => ` ${name}=${JSON.stringify(value)}`).sort();
  const content = childrenText(node.childNodes, verbatim || node.nodeName === 'pre');
  return `<${node.nodeName}${attributes.join('')}>${content}</>`;
}

function text(value: string): string {
  return value.replaceAll('<', '‹');
}

function isBlock(node: Node): boolean {
  return blocks.has(node.nodeName);
}
