"""Crawls a server and prints the paths that were requested: `python crawl.py SETTINGS URL`, the settings as JSON.

The spider starts at the URL and follows every link of every page. It posts the id of every form, and sends the id of every list in
a header.
"""

import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess


class Spider(scrapy.Spider):
    name = "links"

    async def start(self):
        yield scrapy.Request(sys.argv[2])

    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)
        for body in response.css("form::attr(id)").getall():
            yield scrapy.Request(response.urljoin("/form"), method="POST", body=body)
        for page in response.css("ol::attr(id)").getall():
            yield scrapy.Request(response.urljoin("/list"), headers={"X-Page": page})


process = CrawlerProcess({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, **json.loads(sys.argv[1])})
process.crawl(Spider)
process.start()
