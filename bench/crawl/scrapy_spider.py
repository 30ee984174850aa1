"""Follows every link, through the simulated web as its proxy, and keeps nothing."""

import scrapy


class AllSpider(scrapy.Spider):
    name = "all"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }

    def __init__(self, seed, proxy, **kwargs):
        super().__init__(**kwargs)
        self.start_urls, self.proxy = [seed], proxy

    async def start(self):
        for url in self.start_urls:
            yield scrapy.Request(url, meta={"proxy": self.proxy})

    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, meta={"proxy": self.proxy})
