/**
 * A client as a good developer would write it by hand for one page. Slots near the viewport share one request. Each has
 * a text, an image and a checked link to a new tab, and its click outlives the page. There is no shadow root, no style,
 * no states, no events, no consent, no retry, no late slots and no viewability.
 */
export const floor = (api: string): string => `(()=>{
const post=(path,body,keepalive)=>fetch('${api}/public/ads/'+path,{method:'POST',keepalive,
  headers:{'X-API-Key':'k','Content-Type':'application/json'},body:JSON.stringify(body)});
const observer=new IntersectionObserver(async(entries)=>{
  const hosts=entries.filter((entry)=>entry.isIntersecting).map((entry)=>entry.target);
  if(!hosts.length)return;
  for(const host of hosts)observer.unobserve(host);
  const slots=hosts.map((host)=>({slotId:host.getAttribute('name'),format:host.getAttribute('format')}));
  const ads=await(await post('formats',{slots})).json();
  ads.forEach((ad,index)=>{
    if(!ad.filled||!/^https?:/.test(ad.linkUrl))return;
    const link=document.createElement('a'),image=new Image,text=document.createElement('span');
    link.href=ad.linkUrl;link.target='_blank';link.rel='sponsored noopener';
    image.src=ad.imageUrl;text.textContent=ad.title+' '+ad.content;
    link.append(image,text);
    link.onclick=()=>{post('tracking/click',{clickToken:ad.clickToken},true)};
    hosts[index].append(link);
  });
},{rootMargin:'200px'});
for(const host of document.querySelectorAll('broadsheet-slot'))observer.observe(host);
})()`;
