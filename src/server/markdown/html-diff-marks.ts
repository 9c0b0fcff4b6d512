/** An element of a difference. `ins` and `del` are marks. */
type Element = {readonly name: string; readonly tag: string; children: Node[]};
type Node = Element | string;

const blocks = new Set(
  (
    'address article aside blockquote dir div dl fieldset form h1 h2 h3 h4 h5 h6 hr menu ol p pre table ul dd dt li ' +
    'tbody td tfoot th thead tr'
  ).split(' '),
);
const emptyElements = new Set(['br', 'hr', 'img']);

/** Returns chunks (tags and words) as HTML: marks around blocks are moved into the blocks, and are spans. */
export function markedTree(chunks: readonly string[]): string {
  const root: Element = {name: '', tag: '', children: []};
  const open = [root];
  for (const chunk of chunks) {
    const name = /^<\/?([^\s/>]*)/.exec(chunk)?.[1];
    const parent = open.at(-1) ?? root;
    if (name === undefined) addText(parent, chunk);
    else if (!chunk.startsWith('</')) {
      const element: Element = {name, tag: chunk.trimEnd(), children: []};
      parent.children.push(element);
      if (!emptyElements.has(name) && !element.tag.endsWith('/>')) open.push(element);
      if (chunk.endsWith(' ')) addText(open.at(-1) ?? root, ' ');
    } else {
      if (open.length > 1 && parent.name === name) open.pop();
      if (chunk.endsWith(' ')) addText(open.at(-1) ?? root, ' ');
    }
  }
  return root.children.map(nodeHtml).join('').trim();
}

/** Texts beside each other are one node. */
function addText(parent: Element, text: string): void {
  const last = parent.children.at(-1);
  if (typeof last === 'string') parent.children[parent.children.length - 1] = last + text;
  else parent.children.push(text);
}

function isMark({name}: Element): boolean {
  return name === 'ins' || name === 'del';
}

function nodeHtml(node: Node): string {
  if (typeof node === 'string') return node;
  if (isMark(node)) {
    if (!hasBlock(node)) return markHtml(node.name, node.children);
    return markedInside(node, node.name).children.map(nodeHtml).join('');
  }
  if (node.name === 'p' && node.children.some(hasBlock)) return dividedParagraph(node);
  const isEmpty = emptyElements.has(node.name) || node.tag.endsWith('/>');
  return node.tag + (isEmpty ? '' : `${node.children.map(nodeHtml).join('')}</${node.name}>`);
}

/** A deleted block may be in a paragraph of the new text, which ends where the block starts, and goes on after it. */
function dividedParagraph({tag, children}: Element): string {
  const nodes = children.flatMap((child) =>
    typeof child !== 'string' && isMark(child) && hasBlock(child) ? markedInside(child, child.name).children : child,
  );
  let html = '';
  let inline = '';
  for (const node of [...nodes, undefined]) {
    if (node !== undefined && !hasBlock(node)) {
      inline += nodeHtml(node);
      continue;
    }
    html += inline.trim() === '' ? inline : `${tag}${inline}</p>`;
    inline = '';
    if (node !== undefined) html += nodeHtml(node);
  }
  return html;
}

function markHtml(name: string, children: readonly Node[]): string {
  return `<span class="highlight_text_${name === 'ins' ? 'inserted' : 'deleted'}">${children.map(nodeHtml).join('')}</span>`;
}

function hasBlock(node: Node): boolean {
  return typeof node !== 'string' && (blocks.has(node.name) || node.children.some(hasBlock));
}

/** Returns the element with marks around what is no block in it. */
function markedInside(element: Element, mark: string): Element {
  const marked = (children: Node[]): Element => ({name: mark, tag: `<${mark}>`, children});
  if (emptyElements.has(element.name)) return element;
  if (!element.children.some(hasBlock)) return {...element, children: [marked(element.children)]};
  const children = element.children.map((child) =>
    typeof child !== 'string' && hasBlock(child) ? markedInside(child, mark) : marked([child]),
  );
  return {...element, children};
}
