// Measures the letters in all frames of this page, and hits every link of a board.
const broken = cell => [...cell.childNodes].filter(node => node.nodeType === 3).flatMap(node =>
  [...node.data.matchAll(/[^\s-]+/g)].filter(word => {
    const range = cell.ownerDocument.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map(word => word[0]));
const found = [...document.querySelectorAll('iframe')].map(frame => {
  const page = frame.contentDocument, root = page.scrollingElement;
  frame.style.height = root.scrollHeight + 'px';
  const wraps = [...page.querySelectorAll('div[style*=overflow]')];
  const named = page.querySelector('p > a');
  const hits = [...page.querySelectorAll('.gb a')].map(link => {
    const box = link.getBoundingClientRect();
    const at = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = page.elementFromPoint(...at);
    return {wide: box.width, high: box.height, hit: link.contains(hit)};
  });
  const colors = named && getComputedStyle(named);
  return {
    name: frame.title, width: frame.clientWidth, over: root.scrollWidth - frame.clientWidth,
    cut: wraps.some(wrap => wrap.scrollWidth > wrap.clientWidth), hits: hits,
    link: named && colors.color,
    broken: [...page.querySelectorAll('.t th, .t td')].flatMap(broken),
    paper: getComputedStyle(page.documentElement).colorScheme,
    buttons: [...page.querySelectorAll('p > a[style*=inline-block]')].map(
      button => button.getBoundingClientRect().height),
  };
});
document.body.textContent = JSON.stringify(found);
