document.getElementById('theme').onclick = () => document.documentElement.classList.toggle('dark')
document.getElementById('lang').onclick = () => (document.documentElement.lang = document.documentElement.lang === 'en' ? 'zh-Hans' : 'en')
